/** The engines that replace DynamoDB, SQS and KMS on one machine, as the proxy in front of them sees them. */
import { Agent, type IncomingMessage, request as send } from 'node:http';
import type { Readable } from 'node:stream';
import { ENGINE_KEY, withEngineKey } from './endpoints.ts';

export interface EngineCall {
  /** The header `X-Amz-Target`. */
  readonly target: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Aborts when the caller does. */
  readonly signal: AbortSignal;
}

export interface LocalEngine {
  respond(call: EngineCall): Promise<{ readonly status: number; readonly body: Buffer | Readable }>;
}

/** An engine that is a server of its own. */
export function engineAt(endpoint: string, accessKeyId = ENGINE_KEY): LocalEngine {
  const agent = new Agent({ keepAlive: true });
  return {
    respond: ({ path, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const { host: _, connection: __, authorization = '', ...others } = headers;
        const options = {
          agent,
          signal,
          method: 'POST',
          headers: {
            ...others,
            authorization: withEngineKey(authorization, accessKeyId),
            'content-length': body.length,
          },
        };
        send(new URL(path, endpoint), options, (answer) => resolve({ status: answer.statusCode ?? 500, body: answer }))
          .on('error', reject)
          .end(body);
      }),
  };
}
