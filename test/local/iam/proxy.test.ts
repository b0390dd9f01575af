/** The proxy before the engines, with an engine that echoes. Costs milliseconds. */
import { DynamoDBClient, GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientSettings } from '../../../bin/local/endpoints.ts';
import type { LocalEngine } from '../../../bin/local/engines.ts';
import { type AuthorisingProxy, type DecidedCall, startAuthorisingProxy } from '../../../bin/local/iam/proxy.ts';
import { statementsOf } from '../../../bin/local/iam/policy.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/t';
const Condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['mine#*'] } };
const Statement = [{ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: TABLE, Condition }];
const principal = 'arn:aws:sts::000000000000:assumed-role/R/F';
const role = { functionId: 'F', roleId: 'R', principal, statements: statementsOf({ Statement }, 'P') };

let proxy: AuthorisingProxy;
let accessKey: string;
let reached: string[];
let seen: DecidedCall[];
let isUp = true;

const engine: LocalEngine = {
  async respond({ target }) {
    reached.push(target);
    return { status: 200, body: Buffer.from('{"Item":{"pk":{"S":"found"}}}') };
  },
};

const ENGINES = { dynamodb: engine, events: engine, kms: engine, sqs: engine, ssm: engine, ses: engine };

beforeAll(async () => {
  proxy = await startAuthorisingProxy(ENGINES, (call) => {
    seen.push(call);
    return isUp;
  });
  accessKey = proxy.admit(new Map([['F', role]])).get('F') ?? '';
});
beforeEach(() => {
  [reached, seen, isUp] = [[], [], true];
});
afterAll(() => proxy.stop());

const get = (pk: string, key = accessKey) =>
  new DynamoDBClient({ ...clientSettings(proxy.endpoint, key), maxAttempts: 1 }).send(
    new GetItemCommand({ TableName: 't', Key: { pk: { S: pk } } }),
  );

describe('a call of a function', () => {
  it('a call reaches the engine if the role of the function allows it', async () => {
    expect((await get('mine#1')).Item).toEqual({ pk: { S: 'found' } });
    expect(reached).toEqual(['DynamoDB_20120810.GetItem']);
    expect(seen).toMatchObject([{ caller: 'F', allowed: true, requested: [{ leadingKeys: ['mine#1'] }] }]);
  });

  it('any other call is denied as AWS denies it, and reaches nothing', async () => {
    await expect(get('other#1')).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringMatching(
        `^User: ${principal} is not authorized to perform: dynamodb:GetItem on resource: ${TABLE} because`,
      ),
      $metadata: { httpStatusCode: 400 },
    });
    expect(reached).toEqual([]);
    expect(seen).toMatchObject([{ allowed: false }]);
  });

  it('a call breaks if the observer says so', async () => {
    isUp = false;
    await expect(get('mine#1')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(reached).toEqual([]);
  });
});

describe('callers', () => {
  it('the operator may do anything, unseen', async () => {
    await new DynamoDBClient(proxy.operator).send(new ListTablesCommand({}));
    expect([reached, seen]).toEqual([['DynamoDB_20120810.ListTables'], []]);
  });

  it.each(['local', '', 'LOCAL'])('a caller with another access key is refused: %j', async (key) => {
    await expect(get('mine#1', key)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    expect(reached).toEqual([]);
  });

  it('a caller of another start is refused', async () => {
    const other = await startAuthorisingProxy(ENGINES);
    await other.stop();
    const { accessKeyId } = other.operator.credentials;
    await expect(get('mine#1', accessKeyId)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });
});
