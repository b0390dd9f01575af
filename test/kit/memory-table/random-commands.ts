/** Random commands in every form that the store writes, on few keys, so that they meet. */
import * as sdk from '@aws-sdk/lib-dynamodb';
import type { Dice } from '../dice.ts';
import type { Key } from './memory-table.ts';

const NAMES = ['a', 'b', 'm#one#0', 'm#two#1', 'status', 'native'];
const TEXTS = ['x', 'y', '', 'ä€😀', '1'];

export interface RandomCommand {
  readonly command: object;
  readonly operations: number;
}

export function randomCommand(dice: Dice, table: string, space: string): RandomCommand {
  const one = (command: object): RandomCommand => ({ command, operations: 1 });
  const key = randomKey(dice, space);
  const choices: (() => RandomCommand)[] = [
    () => one(new sdk.GetCommand({ TableName: table, Key: key, ConsistentRead: true })),
    () =>
      one(
        new sdk.PutCommand({ TableName: table, Item: { ...key, ...randomAttributes(dice) }, ...randomCondition(dice) }),
      ),
    () => one(new sdk.DeleteCommand({ TableName: table, Key: key, ...randomCondition(dice) })),
    () => one(new sdk.UpdateCommand({ TableName: table, Key: key, ...randomUpdate(dice) })),
    () => batchGet(dice, table, space),
    () => batchWrite(dice, table, space),
    () => statements(dice, table, space),
    () => transaction(dice, table, space),
  ];
  return dice.pick(choices)();
}

export function randomKey(dice: Dice, space: string): Key {
  return { pk: `${space}#${dice.below(3)}`, sk: dice.pick(['a', 'b', 'ä', '😀', '￼', '0001', 'Z']) };
}

function someKeys(dice: Dice, space: string): Key[] {
  const keys = Array.from({ length: dice.between(1, 20) }, () => randomKey(dice, space));
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

function randomValue(dice: Dice): unknown {
  return dice.pick([
    dice.pick(TEXTS),
    dice.below(5),
    dice.below(5) - 2.5,
    dice.chance(0.5),
    null,
    { jti: dice.pick(TEXTS) },
    [1, 'z'],
  ]);
}

/** Indexed attributes are texts; `n` is what is added to. */
function randomAttributes(dice: Dice): Record<string, unknown> {
  const some = NAMES.filter(() => dice.chance(0.4)).map((name) => [name, randomValue(dice)]);
  const open = dice.chance(0.3) ? { open_pk: 'open', due_at: `2026-0${dice.between(1, 9)}` } : {};
  return { ...Object.fromEntries(some), n: dice.below(4), ...open };
}

/** The halves of conditions that the store puts together. */
function randomCondition(dice: Dice): Condition {
  if (dice.chance(0.4)) return {};
  const names = { '#n0': dice.pick([...NAMES, 'pk']), '#n1': 'n' };
  const values = { ':v0': dice.below(4), ':v1': dice.pick(TEXTS) };
  const texts = [
    'attribute_not_exists(#n0)',
    'attribute_exists(#n0)',
    '#n0 = :v1',
    '#n1 = :v0',
    '#n1 < :v0',
    '#n1 <= :v0 AND #n0 = :v1',
    '#n1 > :v0 AND attribute_exists(#n0)',
    '(attribute_not_exists(#n0) OR #n1 <= :v0)',
    '(attribute_not_exists(#n0) OR #n1 <= :v0 OR #n1 > :v0)',
  ];
  return bound(dice.pick(texts), names, values);
}

/** Unused names and values are refused. */
const used = <T>(text: string, all: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(name)));

function bound(ConditionExpression: string, names: Record<string, string>, values: Record<string, unknown>): Condition {
  const ExpressionAttributeNames = used(ConditionExpression, names);
  const ExpressionAttributeValues = used(ConditionExpression, values);
  return {
    ConditionExpression,
    ...(Object.keys(ExpressionAttributeNames).length > 0 && { ExpressionAttributeNames }),
    ...(Object.keys(ExpressionAttributeValues).length > 0 && { ExpressionAttributeValues }),
  };
}

function randomUpdate(dice: Dice) {
  const [first = '', second = '', third = ''] = dice.shuffled(NAMES);
  const clauses = ['SET #s0 = :s0', ...(dice.chance(0.5) ? [', #s1 = if_not_exists(#s1, :s1)'] : [])];
  const rest = [...(dice.chance(0.4) ? [' ADD #s2 :s2'] : []), ...(dice.chance(0.4) ? [' REMOVE #s3'] : [])];
  const UpdateExpression = [...clauses, ...rest].join('');
  const names = used(UpdateExpression, { '#s0': first, '#s1': second, '#s2': 'n', '#s3': third });
  const values = used(UpdateExpression, { ':s0': randomValue(dice), ':s1': randomValue(dice), ':s2': dice.below(3) });
  const condition = randomCondition(dice);
  return {
    UpdateExpression,
    ...condition,
    ExpressionAttributeNames: { ...names, ...condition.ExpressionAttributeNames },
    ExpressionAttributeValues: { ...values, ...condition.ExpressionAttributeValues },
    ReturnValues: 'ALL_NEW' as const,
  };
}

interface Condition {
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

function batchGet(dice: Dice, table: string, space: string): RandomCommand {
  const Keys = someKeys(dice, space);
  return {
    command: new sdk.BatchGetCommand({ RequestItems: { [table]: { Keys: Keys as never, ConsistentRead: true } } }),
    operations: Keys.length,
  };
}

function batchWrite(dice: Dice, table: string, space: string): RandomCommand {
  const requests = someKeys(dice, space).map((key) =>
    dice.chance(0.7)
      ? { PutRequest: { Item: { ...key, ...randomAttributes(dice) } } }
      : { DeleteRequest: { Key: { ...key } } },
  );
  return { command: new sdk.BatchWriteCommand({ RequestItems: { [table]: requests } }), operations: requests.length };
}

function transaction(dice: Dice, TableName: string, space: string): RandomCommand {
  const TransactItems = someKeys(dice, space)
    .slice(0, 4)
    .map((Key) => {
      if (dice.chance(0.2)) return { Delete: { TableName, Key: { ...Key }, ...randomCondition(dice) } };
      if (dice.chance(0.6))
        return { Put: { TableName, Item: { ...Key, ...randomAttributes(dice) }, ...randomCondition(dice) } };
      const { ReturnValues: _, ...update } = randomUpdate(dice);
      return { Update: { TableName, Key: { ...Key }, ...update } };
    });
  return { command: new sdk.TransactWriteCommand({ TransactItems }), operations: TransactItems.length };
}

function statements(dice: Dice, table: string, space: string): RandomCommand {
  const Statements = someKeys(dice, space).map(({ pk, sk }) => {
    if (dice.chance(0.7)) return randomStatement(dice, table, [pk, sk]);
    const Statement = `INSERT INTO "${table}" VALUE {'pk': ?, 'sk': ?, '${dice.pick(NAMES)}': ?}`;
    return { Statement, Parameters: [pk, sk, dice.pick(TEXTS)] };
  });
  return { command: new sdk.BatchExecuteStatementCommand({ Statements }), operations: Statements.length };
}

function randomStatement(dice: Dice, table: string, key: readonly string[]) {
  const name = dice.pick(NAMES);
  const missing = `"${dice.pick(NAMES)}" IS${dice.pick([' NOT', ''])} MISSING`;
  const conditions: readonly [text: string, values: readonly unknown[]][] = [
    [missing, []],
    ['"n" = ?', [dice.below(4)]],
    [`${missing} AND "n" <= ?`, [dice.below(4)]],
    [`(${missing} OR "n" < ?) AND "${name}" IS MISSING`, [dice.below(4)]],
  ];
  const [condition, values] = dice.pick(conditions);
  const where = 'WHERE "pk" = ? AND "sk" = ?';
  return dice.pick([
    {
      Statement: `UPDATE "${table}" SET "${name}" = ?, "n" = ? ${where} AND ${condition}`,
      Parameters: [dice.pick(TEXTS), dice.below(4), ...key, ...values],
    },
    { Statement: `UPDATE "${table}" REMOVE "${name}" ${where}`, Parameters: [...key] },
    { Statement: `DELETE FROM "${table}" ${where} AND ${condition}`, Parameters: [...key, ...values] },
  ]);
}
