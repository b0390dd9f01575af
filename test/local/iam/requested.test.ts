/** The permissions that a request needs: actions, resources and leading keys. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { requestedActions, targetOf, type Target } from '../../../bin/local/iam/requested.ts';

/** `GetItem t a,b`: action, resource without its prefix, and keys. */
function asked(header: string, body: object): string[] {
  return requestedActions(targetOf(header) as Target, body as never).map(({ action, resource, leadingKeys }) =>
    [action, resource.replace(/^arn:.*:(table\/)?/, ''), leadingKeys.join()].join(' ').trim(),
  );
}

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const Parameters = ['1', 'a', 'b'].map((S) => ({ S }));
const Statements = (Statement: string) => ({ Statements: [{ Statement, Parameters }] });
const query = (KeyConditionExpression: string) => ({
  TableName: 't',
  KeyConditionExpression,
  ExpressionAttributeValues: { ':p': { S: 'a' }, ':s': { S: 'z' } },
});

describe('DynamoDB calls', () => {
  it.each([
    ['GetItem', { TableName: 't', Key: key('a') }, ['GetItem t a']],
    ['PutItem', { TableName: 't', Item: { ...key('a'), n: { N: '1' } } }, ['PutItem t a']],
    ['BatchGetItem', { RequestItems: { t: { Keys: [key('a'), key('b')] } } }, ['BatchGetItem t a,b']],
    [
      'BatchWriteItem',
      { RequestItems: { t: [{ PutRequest: { Item: key('a') } }, { DeleteRequest: { Key: key('b') } }] } },
      ['BatchWriteItem t a,b'],
    ],
    [
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName: 't', Item: key('a') } }, { Update: { TableName: 't', Key: key('b') } }] },
      ['PutItem t a', 'UpdateItem t b'],
    ],
    ['Query', query('#p = :p AND #s > :s'), ['Query t a']],
    ['Query', { ...query('#p = :p'), IndexName: 'by-date' }, ['Query t/index/by-date a']],
    ['Query', query('#s > :s'), ['Query t']],
    ['BatchExecuteStatement', Statements(`INSERT INTO "t" VALUE {'n': ?, 'pk': ?}`), ['PartiQLInsert t a']],
    ['BatchExecuteStatement', Statements(`UPDATE "t" SET "n" = ? WHERE "pk" = ?`), ['PartiQLUpdate t a']],
    ['BatchExecuteStatement', Statements(`DELETE FROM "t" WHERE "pk" = ?`), ['PartiQLDelete t 1']],
    ['BatchExecuteStatement', Statements(`DELETE FROM "t" WHERE "pk" IN [?]`), ['PartiQLDelete t']],
    ['BatchExecuteStatement', Statements('DROP TABLE t'), ['PartiQL *']],
    ['Scan', { TableName: 't', IndexName: 'by-date' }, ['Scan t/index/by-date']],
    ['ListTables', {}, ['ListTables *']],
  ])('requestedActions: %s %j → its actions, tables and leading keys', (operation, body, expected) => {
    expect(asked(`DynamoDB_20120810.${operation}`, body)).toEqual(expected.map((each) => `dynamodb:${each}`));
  });

  it('a condition or a statement in another form names a key that no grant matches', () => {
    const keysOf = (operation: string, body: object) =>
      requestedActions({ service: 'dynamodb', operation }, body as never).map(({ leadingKeys }) => leadingKeys);
    expect(keysOf('Query', query('#s > :s'))).toEqual([['']]);
    expect(keysOf('BatchExecuteStatement', Statements(`DELETE FROM "t" WHERE "pk" IN [?]`))).toEqual([['']]);
    expect(keysOf('Scan', { TableName: 't' })).toEqual([[]]);
  });
});

describe('other calls', () => {
  const QueueUrl = 'http://127.0.0.1:1/000000000000/q';
  it.each([
    ['AmazonSQS.SendMessage', { QueueUrl }, 'sqs:SendMessage q'],
    ['AmazonSQS.DeleteMessageBatch', { QueueUrl }, 'sqs:DeleteMessage q'],
    ['AWSEvents.PutEvents', { Entries: [{ Source: 's' }] }, 'events:PutEvents event-bus/default'],
    ['AmazonSSM.GetParameter', { Name: '/a/settings' }, 'ssm:GetParameter parameter/a/settings'],
    ['TrentService.Sign', { KeyId: 'k' }, 'kms:Sign key/k'],
    ['TrentService.GetPublicKey', { KeyId: 'arn:aws:kms:us-east-1:000000000000:key/k' }, 'kms:GetPublicKey key/k'],
  ])('requestedActions: %s → the action and its resource', (header, body, expected) => {
    expect(asked(header, body)).toEqual([expected]);
  });

  it('a mail needs the permission of its sender', () => {
    const target = targetOf(undefined, '/v2/email/outbound-emails') as Target;
    const from = 'm@acme.example';
    expect(requestedActions(target, { FromEmailAddress: from })).toEqual([
      {
        action: 'ses:SendEmail',
        resource: expect.stringMatching(/:identity\/m@acme\.example$/),
        leadingKeys: [],
        from,
      },
    ]);
  });

  it.each(['', 'AmazonS3.GetObject', undefined])(
    'targetOf: %j, which no service of the stack has → undefined',
    (header) => {
      expect(targetOf(header)).toBeUndefined();
    },
  );
});
