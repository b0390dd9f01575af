/** Within a company no command is sent that names a key of another, whatever the command. Costs milliseconds. */
import * as sdk from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { TenancyViolation, keptWithin, withinCompany } from '../../functions/dynamodb/tenancy.ts';
import { everyStore } from '../kit/services.ts';
import { memoryClient } from '../kit/memory-table/memory-client.ts';

const TableName = 'table';
const key = (pk: unknown) => ({ pk, sk: 'item' });

/** Every way in which a command names the partition of an item. */
const NAMED_BY: Record<string, (pk: string) => object> = {
  Get: (pk) => new sdk.GetCommand({ TableName, Key: key(pk) }),
  Put: (pk) => new sdk.PutCommand({ TableName, Item: { ...key(pk), company_id: 'acme' } }),
  Update: (pk) => new sdk.UpdateCommand({ TableName, Key: key(pk) }),
  Delete: (pk) => new sdk.DeleteCommand({ TableName, Key: key(pk) }),
  'one of a BatchGet': (pk) =>
    new sdk.BatchGetCommand({ RequestItems: { [TableName]: { Keys: [key('acme#a'), key(pk)] } } }),
  'one put of a BatchWrite': (pk) =>
    new sdk.BatchWriteCommand({ RequestItems: { [TableName]: [put('acme#a'), put(pk)] } }),
  'one deletion of a BatchWrite': (pk) =>
    new sdk.BatchWriteCommand({ RequestItems: { [TableName]: [put('acme#a'), { DeleteRequest: { Key: key(pk) } }] } }),
  'one put of a transaction': (pk) => transaction({ Update: { Key: key('acme#a') } }, { Put: { Item: key(pk) } }),
  'one update of a transaction': (pk) => transaction({ Put: { Item: key('acme#a') } }, { Update: { Key: key(pk) } }),
  'one deletion of a transaction': (pk) => transaction({ Put: { Item: key('acme#a') } }, { Delete: { Key: key(pk) } }),
  'one INSERT of several statements': (pk) =>
    statements(
      [`INSERT INTO "table" VALUE {'pk': ?, 'sk': ?, 'x': ?}`, ['acme#a', 'item', 'acme#']],
      [`INSERT INTO "table" VALUE {'pk': ?, 'sk': ?, 'x': ?}`, [pk, 'item', 'acme#']],
    ),
  'an UPDATE statement': (pk) =>
    statements([`UPDATE "table" SET "x"=? WHERE "pk"=? AND "sk"=?`, ['acme#', pk, 'item']]),
  Query: (pk) => query('#partition = :partition', { ':partition': pk }),
  'a Query with a bound': (pk) => query('#p = :p AND #s > :bound', { ':bound': 'acme#', ':p': pk }),
};

const put = (pk: string) => ({ PutRequest: { Item: key(pk) } });
const transaction = (...TransactItems: object[]) => new sdk.TransactWriteCommand({ TransactItems });
const statements = (...each: [Statement: string, Parameters: unknown[]][]) =>
  new sdk.BatchExecuteStatementCommand({
    Statements: each.map(([Statement, Parameters]) => ({ Statement, Parameters })),
  });
const query = (KeyConditionExpression: string, ExpressionAttributeValues: Record<string, unknown>) =>
  new sdk.QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues });

let sent: object[];
let send: (command: object) => Promise<unknown>;

beforeEach(() => {
  sent = [];
  const client = { send: async (command: object) => void sent.push(command) };
  send = keptWithin(client as never).send as typeof send;
});

describe.each(Object.entries(NAMED_BY))('a key named by %s', (_, command) => {
  it('a key that begins with the company is reached', async () => {
    await withinCompany('acme', () => send(command('acme#record#globex#1')));
    expect(sent).toHaveLength(1);
  });

  it.each(['globex#user#a', 'acme-2#company', 'acme', 'ACME#company', 'session#1', 'login#acme#', 'open', ''])(
    'the key %j is refused, and its command is not sent',
    async (pk) => {
      await expect(withinCompany('acme', async () => send(command(pk)))).rejects.toThrow(TenancyViolation);
      expect(sent).toEqual([]);
    },
  );

  it('a key is reached outside any company, as by a login', async () => {
    await send(command('session#1'));
    expect(sent).toHaveLength(1);
  });
});

it('a command that names no key is refused', async () => {
  const scan = async () => send(new sdk.ScanCommand({ TableName }));
  await expect(withinCompany('acme', scan)).rejects.toThrow(TenancyViolation);
  await expect(withinCompany('acme', async () => send(statements([`DELETE FROM "table"`, []])))).rejects.toThrow(
    TenancyViolation,
  );
});

it('the error names neither the key nor the values of the command', async () => {
  const login = async () =>
    send(new sdk.PutCommand({ TableName, Item: { ...key('login#ann@globex.test'), hash: 'h' } }));
  const refusal = await withinCompany('acme', login).catch((error: unknown) => error);
  expect(String(refusal)).toBe('TenancyViolation: A command would have left the company acme.');
});

it('companies are kept apart when their requests run at the same time', async () => {
  const stores = everyStore({ client: memoryClient(), table: TableName });
  const companies = ['acme', 'globex', 'initech'];
  const asked = companies.flatMap((own) =>
    companies.map((other) =>
      withinCompany(own, async () => {
        await stores.mappings.putUserMappings(own, []);
        await Promise.resolve();
        return stores.imports.read({ company_id: other, import_id: 'i'.repeat(26) });
      }).then(
        () => own === other,
        (error: unknown) => own !== other && error instanceof TenancyViolation,
      ),
    ),
  );
  expect(await Promise.all(asked)).toEqual(asked.map(() => true));
});
