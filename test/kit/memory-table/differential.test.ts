/**
 * The simulator's database and the embedded engine (or the one that DYNAMODB_ENDPOINT names) return the same results
 * for the same random commands: 100,000 with `npm run test:long`.
 */
import { expect, it } from 'vitest';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { query } from '../../../functions/dynamodb/queries.ts';
import { INDEX } from '../../../functions/dynamodb/table.ts';
import { cases } from '../../kit/at-length.ts';
import { useDynamoDb } from '../dynamodb.ts';
import { Dice } from '../dice.ts';
import { memoryClient } from './memory-client.ts';
import { randomCommand } from './random-commands.ts';

const OPERATIONS = process.env['DYNAMODB_ENDPOINT'] === undefined ? cases(100_000, 400) : 4_000;
const STREAMS = 8;
const database = useDynamoDb();
const INSTANT = { sleep: async () => {}, random: () => 0, nowMs: () => 0 };

type Answer = Readonly<Record<string, unknown>>;

async function answerOf(client: DynamoDBDocumentClient, command: object): Promise<Answer> {
  try {
    return comparable((await client.send(command as never)) as Answer);
  } catch (error) {
    const { name, CancellationReasons } = error as Error & { CancellationReasons?: readonly { Code?: string }[] };
    return { refused: name, reasons: CancellationReasons?.map(({ Code }) => Code ?? 'None') };
  }
}

/** The members that the stores read, sorted, because batches return items in any order. */
function comparable({ Item, Attributes, Responses, UnprocessedItems, UnprocessedKeys }: Answer): Answer {
  const byKey = (a: object, b: object) => (JSON.stringify(a, ['pk', 'sk']) < JSON.stringify(b, ['pk', 'sk']) ? -1 : 1);
  const items =
    Responses !== undefined && !Array.isArray(Responses)
      ? (Object.values(Responses as object)[0] as object[])
      : undefined;
  const codes = Array.isArray(Responses)
    ? Responses.map(({ Error: error }: { Error?: { Code: string } }) => error?.Code ?? 'done')
    : undefined;
  const left = Object.keys({ ...(UnprocessedItems as object), ...(UnprocessedKeys as object) }).length;
  return { Item, Attributes, codes, left, items: items?.toSorted(byKey) };
}

async function everything(client: DynamoDBDocumentClient, table: string, space: string): Promise<unknown[]> {
  const at = { client, table, ...INSTANT };
  const found: unknown[] = [];
  for (let partition = 0; partition < 3; partition += 1) {
    const whole = { partition: `${space}#${partition}`, strong: true };
    for await (const item of query(at, whole)) found.push(item);
    for await (const item of query(at, { ...whole, newestFirst: true, limit: 4 })) found.push(item['sk']);
    for await (const item of query(at, { ...whole, above: 'a' })) found.push(item['sk']);
  }
  return found;
}

async function openImports(client: DynamoDBDocumentClient, table: string): Promise<unknown[]> {
  const at = { client, table, ...INSTANT };
  const found: unknown[] = [];
  const due = { partition: 'open', index: INDEX.openImports, between: ['2025', '2026-05'] } as const;
  for await (const item of query(at, due)) found.push(item['due_at']);
  return found;
}

async function stream(number: number, memory: DynamoDBDocumentClient, operations: number): Promise<number> {
  const dice = new Dice(number, 9);
  const { client, table } = database();
  const space = `stream${number}`;
  let done = 0;
  while (done < operations) {
    const { command, operations: some } = randomCommand(dice, table, space);
    const [expected, actual] = [await answerOf(client, command), await answerOf(memory, command)];
    expect({ command, response: actual }).toEqual({ command, response: expected });
    done += some;
  }
  expect(await everything(memory, table, space)).toEqual(await everything(client, table, space));
  return done;
}

it(
  `the table in memory and the engine execute ${OPERATIONS} random operations alike`,
  { timeout: 600_000 },
  async () => {
    const memory = memoryClient();
    const streams = Array.from({ length: STREAMS }, (_, number) => stream(number, memory, OPERATIONS / STREAMS));
    const done = (await Promise.all(streams)).reduce((sum, some) => sum + some, 0);
    const { client, table } = database();
    expect(await openImports(memory, table)).toEqual(await openImports(client, table));
    expect(done).toBeGreaterThanOrEqual(OPERATIONS);
  },
);
