/**
 * The item and the consistency of each read of each operation, in a table (reads.json), and why. Record it after a change that is
 * meant: `npx vitest run test/dynamodb/reads.test.ts -u`. Costs about two seconds.
 */
import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import type { Key } from '../../functions/dynamodb/table.ts';
import { intake } from '../../functions/handlers/intake.ts';
import { watch } from '../../functions/handlers/watchdog.ts';
import { ROUTES } from '../../functions/shared/routes.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { revertedImport, validRequest } from '../security/matrix/ask.ts';
import { validToken } from '../security/matrix/token-class.ts';
import { OWN } from '../security/support/data.ts';
import { createService } from '../security/support/world.ts';

const WHY: Readonly<Record<string, string>> = {
  'eventual catalog': 'a course that changed a moment ago: read strongly where it is missing, and again by the chunk',
  'eventual import plan': 'written before what points to it; read strongly where it is missing',
  'eventual import report': 'likewise',
  'eventual index imports-by-company': 'an index; what it lists is read itself where its state decides',
  'eventual index imports-by-run': 'likewise; a revert reads it after its fence',
  'eventual index open-imports': 'an index; the watchdog comes again in a minute',
  'eventual list archived': 'likewise',
  'eventual list catalog': 'a list that decides nothing',
  'eventual run': 'a list that decides nothing',
  'eventual user': 'read strongly where it is missing or inactive',
  'strong catalog': 'a mapping names a course that exists',
  'strong company': 'a company that is switched off is refused from the next request on',
  'strong course-mappings': 'the import after a mapping sees it',
  'strong erasure': 'a step goes on from the last',
  'strong fact': 'a person who was erased a moment ago is not shown',
  'strong gate': 'no chunk writes beside a revert',
  'strong import': 'a poll never goes back; a cancel counts from the next chunk on',
  'strong import payload': 'written a moment before the message',
  'strong import plan': 'the plan of another delivery binds this one',
  'strong import revert': 'a step goes on from the last; an import is taken back once',
  'strong import revert-report': 'likewise',
  'strong learner course': 'a result is joined with every record before it',
  'strong list course-mappings': 'a list after a registration has it',
  'strong list evidence': 'a key is published before it signs',
  'strong list import': 'a revert passes on to every chunk that relies on it',
  'strong list learner': 'a transcript has what was imported before; an erasure finds everything',
  'strong list signing-keys': 'a deleted key is refused everywhere',
  'strong list user-mappings': 'likewise; an erasure finds every one',
  'strong login': 'a new password counts at once',
  'strong record': 'an id that was bound a moment ago is found',
  'strong list run': 'evidence waits for a plan that is applied, and names it; an erasure finds each',
  'strong run': 'a decision is on what was decided before; a reader continues where somebody stopped',
  'strong run document': 'likewise',
  'strong run-counts': 'the longest sum leaves the least to read',
  'strong run revert': 'a request during a revert is part of it',
  'strong session': 'a logout counts from the next request on',
  'strong throttle': 'no attempt is free',
  'strong user': 'a session counts, and a mapping resolves, by the user as it is now',
  'strong user-mappings': 'the import after a mapping sees it',
};

/** Of every operation that needs a token. */
const CALLER = ['strong company', 'strong session', 'strong user'];

/** The kind of an item, by its key: ids, hashes and shards left out. */
function kindOf({ pk = '', sk }: Partial<Key>): string {
  const [first = '', second = first] = pk.split('#');
  if (STACK_WIDE.has(first)) return second === 'evidence' ? second : first;
  const within = sk === undefined || sk === second ? '' : ` ${sk.split('#')[0]}`;
  return HOLDS_SEVERAL.has(second) ? `${second}${within}` : second;
}

const STACK_WIDE = new Set(['data-file', 'login', 'session', 'signing-keys', 'throttle']);
const HOLDS_SEVERAL = new Set(['import', 'learner', 'run']);

/** The reads of a command, such as `strong gate`, `eventual index open-imports`. */
function readsOf(command: object): string[] {
  if (command instanceof GetCommand)
    return [`${strength(command.input.ConsistentRead)} ${kindOf(command.input.Key as Key)}`];
  if (command instanceof BatchGetCommand)
    return Object.values(command.input.RequestItems ?? {}).flatMap(({ Keys = [], ConsistentRead }) =>
      Keys.map((key) => `${strength(ConsistentRead)} ${kindOf(key as Key)}`),
    );
  if (!(command instanceof QueryCommand)) return [];
  const { IndexName, ConsistentRead, KeyConditionExpression = '', ExpressionAttributeValues = {} } = command.input;
  if (IndexName !== undefined) return [`${strength(ConsistentRead)} index ${IndexName}`];
  const pk = String(ExpressionAttributeValues[/=\s*(:\w+)/.exec(KeyConditionExpression)?.[1] ?? '']);
  return [`${strength(ConsistentRead)} list ${kindOf({ pk })}`];
}

const strength = (consistent: boolean | undefined): string => (consistent === true ? 'strong' : 'eventual');

it('each operation reads strongly what decides, and eventually what only lists', async () => {
  let reads = new Set<string>();
  const world = await createService((command) => readsOf(command).forEach((read) => reads.add(read)));
  const seen: Record<string, readonly string[]> = {};
  const during = async (operation: string, act: () => Promise<unknown>): Promise<void> => {
    reads = new Set(seen[operation]);
    await act();
    seen[operation] = [...reads].toSorted();
    reads = new Set();
  };
  const deliver = () => during('process-chunk', () => world.deliver());
  const known = await revertedImport(world, deliver);
  const refresh = JSON.stringify({ refreshToken: await validToken(world, 'refresh') });
  for (const route of ROUTES) {
    const authorization = `Bearer ${await validToken(world, 'access')}`;
    const request = { ...validRequest(route, known, OWN), ...(route.name === 'refresh-token' && { body: refresh }) };
    await during(route.name, () => world.send({ ...request, headers: { ...request.headers, authorization } }));
  }
  await during('intake', () =>
    intake(
      { facts: [{ kind: 'user', id: 2, company_id: OWN, version: Number.MAX_SAFE_INTEGER, erase: true }] },
      CONTEXT,
      world.services,
    ),
  );
  // Until the reverts and the erasure have ended.
  for (let minute = 0; minute < 10; minute += 1) {
    world.clock.now += 60_000;
    await during('watchdog', () =>
      watch({ detail: { open: 'all' } }, { getRemainingTimeInMillis: () => 60_000 }, world.services),
    );
    await deliver();
  }
  for (const { name } of ROUTES.filter(({ access }) => access !== 'public')) {
    const all = seen[name] ?? [];
    expect(all).toEqual(expect.arrayContaining(CALLER));
    seen[name] = all.filter((read) => !CALLER.includes(read));
  }
  const short = Object.fromEntries(Object.entries(seen).filter(([, all]) => all.length > 0));
  await expect(`${JSON.stringify(short, null, 2)}\n`).toMatchFileSnapshot('reads.json');
  expect(new Set([...Object.values(short).flat(), ...CALLER])).toEqual(new Set(Object.keys(WHY)));
});
