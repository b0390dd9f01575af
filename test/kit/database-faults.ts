/** Makes a client throttle, fail and count, which no local engine does by itself. */
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Members = Record<string, unknown>;

/** Sees every call by its name and input, in attribute values, and may return a result in the database's place. */
export type Interceptor = (
  call: string,
  input: Members,
  next: (input?: Members) => Promise<Members>,
) => Promise<Members>;

export function intercepted(client: DynamoDBClient, interceptor: Interceptor): DynamoDBDocumentClient {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const call = String(context['commandName']).replace('Command', '');
      let response: unknown;
      const output = await interceptor(call, args.input as Members, async (input) => {
        const sent = await next(input === undefined ? args : { ...args, input });
        response = sent.response;
        return sent.output as unknown as Members;
      });
      return { response, output: { $metadata: {}, ...output } };
    },
    { step: 'initialize', priority: 'low', name: 'interceptor' },
  );
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

export function serviceError(name: string, httpStatusCode = 400): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
}
