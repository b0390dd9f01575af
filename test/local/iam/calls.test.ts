/** The permissions that a request needs: actions, resources and leading keys. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { requestedActions, targetOf, type Named, type Target } from '../../../bin/local/iam/calls.ts';

const indexes = new Map([['by-date', 'list_pk']]);
const named: Named = {
  tables: new Map([['t', { partitionKey: 'pk', indexes }]]),
  queues: new Map([['/000000000000/q', 'arn:aws:sqs:us-east-1:000000000000:q']]),
};

/** `GetItem t a,b`: action, resource without its prefix, and keys. */
function asked(header: string, body: object): string[] {
  return requestedActions(targetOf(header) as Target, body as never, named).map(({ action, resource, leadingKeys }) =>
    [action, resource.replace(/^arn:.*:(table\/)?/, ''), leadingKeys.join()].join(' ').trim(),
  );
}

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const dynamodb = (operation: string) => `DynamoDB_20120810.${operation}`;

describe('DynamoDB calls', () => {
  it.each([
    ['GetItem', { TableName: 't', Key: key('a') }, ['dynamodb:GetItem t a']],
    ['PutItem', { TableName: 't', Item: { ...key('a'), n: { N: '1' } } }, ['dynamodb:PutItem t a']],
    ['UpdateItem', { TableName: 't', Key: key('a') }, ['dynamodb:UpdateItem t a']],
    ['DeleteItem', { TableName: 't', Key: key('a') }, ['dynamodb:DeleteItem t a']],
    ['BatchGetItem', { RequestItems: { t: { Keys: [key('a'), key('b')] } } }, ['dynamodb:BatchGetItem t a,b']],
    [
      'BatchWriteItem',
      { RequestItems: { t: [{ PutRequest: { Item: key('a') } }, { DeleteRequest: { Key: key('b') } }] } },
      ['dynamodb:BatchWriteItem t a,b'],
    ],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName: 't', Item: key('a') } },
          { Update: { TableName: 't', Key: key('b') } },
          { Delete: { TableName: 't', Key: key('c') } },
          { ConditionCheck: { TableName: 't', Key: key('d') } },
        ],
      },
      ['dynamodb:PutItem t a', 'dynamodb:UpdateItem t b', 'dynamodb:DeleteItem t c', 'dynamodb:ConditionCheckItem t d'],
    ],
    ['TransactGetItems', { TransactItems: [{ Get: { TableName: 't', Key: key('a') } }] }, ['dynamodb:GetItem t a']],
    ['Scan', { TableName: 't' }, ['dynamodb:Scan t']],
    ['Scan', { TableName: 't', IndexName: 'by-date' }, ['dynamodb:Scan t/index/by-date']],
    ['ListTables', {}, ['dynamodb:ListTables *']],
  ])('requestedActions: %s %j → its actions, tables and leading keys', (operation, body, expected) => {
    expect(asked(dynamodb(operation), body)).toEqual(expected);
  });
});

describe('queries', () => {
  const ExpressionAttributeValues = { ':p': { S: 'a' }, ':s': { S: 'z' } };
  const renamed = { ExpressionAttributeNames: { '#k': 'pk', '#s': 'sk' } };
  it.each<[string, string, object, string]>([
    ['of the table', 'pk = :p', {}, 't a'],
    ['by a name that is replaced', '#k=:p AND #s > :s', renamed, 't a'],
    ['after the sort key', 'sk = :s AND pk = :p', {}, 't a'],
    ['of an index', 'list_pk = :p AND list_sk < :s', { IndexName: 'by-date' }, 't/index/by-date a'],
    ['of an index, not of the table', 'pk = :p', { IndexName: 'by-date' }, 't/index/by-date'],
    ['of an index that does not exist', 'pk = :p', { IndexName: 'none' }, 't/index/none'],
  ])('requestedActions: a query %s → the partition', (_, KeyConditionExpression, more, expected) => {
    const body = { TableName: 't', KeyConditionExpression, ExpressionAttributeValues, ...more };
    expect(asked(dynamodb('Query'), body)).toEqual([`dynamodb:Query ${expected}`]);
  });
});

describe('PartiQL statements', () => {
  const S = (...values: string[]) => values.map((value) => ({ S: value }));
  it.each([
    [`INSERT INTO "t" VALUE {'pk': ?, 'sk': ?, 'n': ?}`, S('a', 'b', 'c'), 'PartiQLInsert t a'],
    [`insert into t value {'sk':?,'pk':?}`, S('b', 'a'), 'PartiQLInsert t a'],
    [`INSERT INTO "t" VALUE {'pk': 'a', 'x': 'pk'}`, [], 'PartiQLInsert t a'],
    [`UPDATE "t" SET "n"=? WHERE "pk"=? AND "sk"=?`, S('1', 'a', 'b'), 'PartiQLUpdate t a'],
    [`UPDATE "t" SET "pk?"='?' WHERE sk=? AND pk=?`, S('b', 'a'), 'PartiQLUpdate t a'],
    [`UPDATE "t" SET "x"='it''s "pk"=?' WHERE "pk"='a''b'`, [], `PartiQLUpdate t a'b`],
    [`DELETE FROM "t" WHERE "pk" = ?`, S('a'), 'PartiQLDelete t a'],
    [`SELECT * FROM "t" WHERE "pk" = ? OR "pk" = ?`, S('a', 'b'), 'PartiQLSelect t a,b'],
    [`SELECT * FROM "t"."by-date" WHERE "list_pk" = ?`, S('a'), 'PartiQLSelect t/index/by-date a'],
    [`SELECT * FROM "t"`, [], 'PartiQLSelect t'],
    [`SELECT * FROM "t" WHERE 'pk' = ?`, S('a'), 'PartiQLSelect t'],
    ['DROP TABLE t', [], 'PartiQL *'],
  ])('requestedActions: %s → the action and the leading keys', (Statement, Parameters, expected) => {
    expect(asked(dynamodb('ExecuteStatement'), { Statement, Parameters })).toEqual([`dynamodb:${expected}`]);
  });

  it('requestedActions: a condition in an unknown form → a key that no grant matches', () => {
    const target = targetOf(dynamodb('ExecuteStatement')) as Target;
    const body = { Statement: 'SELECT * FROM "t" WHERE "pk" IN [?, ?]', Parameters: S('a', 'b') };
    expect(requestedActions(target, body, named)[0]?.leadingKeys).toEqual(['']);
  });

  it('each statement of a batch and of a transaction asks for its own action', () => {
    const insert = { Statement: `INSERT INTO "t" VALUE {'pk': ?}`, Parameters: S('a') };
    const update = { Statement: `UPDATE "t" SET "n"=? WHERE "pk"=?`, Parameters: S('1', 'b') };
    const both = ['dynamodb:PartiQLInsert t a', 'dynamodb:PartiQLUpdate t b'];
    expect(asked(dynamodb('BatchExecuteStatement'), { Statements: [insert, update] })).toEqual(both);
    expect(asked(dynamodb('ExecuteTransaction'), { TransactStatements: [insert, update] })).toEqual(both);
  });
});

describe('other calls', () => {
  const QueueUrl = 'http://127.0.0.1:1/000000000000/q';
  it.each([
    ['AmazonSQS.SendMessage', { QueueUrl }, 'sqs:SendMessage q'],
    ['AmazonSQS.SendMessageBatch', { QueueUrl }, 'sqs:SendMessage q'],
    ['AmazonSQS.DeleteMessageBatch', { QueueUrl }, 'sqs:DeleteMessage q'],
    ['AmazonSQS.ChangeMessageVisibilityBatch', { QueueUrl }, 'sqs:ChangeMessageVisibility q'],
    ['AmazonSQS.ReceiveMessage', { QueueUrl: 'http://other/000000000000/p' }, 'sqs:ReceiveMessage p'],
    ['AmazonSSM.GetParameter', { Name: '/a/settings' }, 'ssm:GetParameter parameter/a/settings'],
    ['TrentService.Sign', { KeyId: 'k' }, 'kms:Sign key/k'],
    ['TrentService.GetPublicKey', { KeyId: 'arn:aws:kms:us-east-1:000000000000:key/k' }, 'kms:GetPublicKey key/k'],
  ])('requestedActions: %s → the action and its resource', (header, body, expected) => {
    expect(asked(header, body)).toEqual([expected]);
  });

  it.each(['', 'AmazonS3.GetObject', undefined])(
    'targetOf: %j, which no service of the stack has → undefined',
    (header) => {
      expect(targetOf(header)).toBeUndefined();
    },
  );
});
