/**
 * The intake behind its queue in virtual time: an hour in which every call is throttled, or Lambda starts nothing. Costs
 * a second.
 */
import type { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { intake } from '../../functions/handlers/intake.ts';
import { courseMemory } from '../../functions/catalog/course-memory.ts';
import { rejectedMessages } from '../../functions/platform/rejected-messages.ts';
import { INTAKE_CONCURRENCY } from '../../lib/processing/chunk-processing.ts';
import { INTAKE_QUEUE } from '../../lib/processing/intake.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { memoryClient } from '../kit/memory-table/memory-client.ts';
import type { Services } from '../kit/services.ts';
import { servicesOver } from '../kit/world.ts';
import * as thisBuild from './build.ts';
import { Invocation } from './invocation.ts';
import { anyOrder, SimulatedQueue } from './queue.ts';
import { servicesOf } from './services.ts';
import { EPOCH_MS, Simulation } from './simulation.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

const company = { kind: 'company', version: 1, company_id: 'acme', name: 'Acme', migrations_enabled: true };
const course = {
  kind: 'course',
  version: 1,
  company_id: 'acme',
  platform_course_id: 101,
  title: 'Fire safety',
  has_exam: false,
};
const userOf = (id: number) => ({
  kind: 'user',
  version: 1,
  id,
  company_id: 'acme',
  email: `user-${id}@acme.test`,
  name: 'Ann',
  role: 'customer',
  avatar: '',
  license: 'active',
});
const progressOf = (id: number) => ({
  kind: 'progress',
  version: 1,
  company_id: 'acme',
  platform_course_id: 101,
  email: `user-${id}@acme.test`,
  completion_pct: 40,
});
const USERS = [1, 2, 3, 4, 5];
/** Each fact in a message of its own, progress before its user. */
const FACTS = [...USERS.map(progressOf), course, company, ...USERS.map(userOf)];
const OF_NOBODY = progressOf(99);

interface Broken {
  readonly receives?: number;
  readonly visibilitySeconds?: number;
  readonly countsDeliveries?: boolean;
}

/** Sends the facts while nothing works. Returns what is stored, and what ended as a dead letter, a day later. */
async function afterAnHour(seed: number, isDown: 'table' | 'lambda', broken: Broken = {}) {
  const { receives, visibilitySeconds, countsDeliveries = false } = { ...INTAKE_QUEUE, ...broken };
  const isOver = () => simulation.nowMs >= EPOCH_MS + HOUR;
  const simulation: Simulation = new Simulation({
    seed,
    faults: {
      at: (step, { delivery, toQueue }) =>
        isDown === 'table' && !delivery && toQueue !== true && !isOver()
          ? { step, kind: 'throttled', amount: 0 }
          : undefined,
    },
  });
  const letters: unknown[] = [];
  const queue: SimulatedQueue = new SimulatedQueue(simulation, {
    batchSize: 1,
    concurrency: INTAKE_CONCURRENCY,
    waiting: anyOrder(simulation.dice),
    visibilityMs: visibilitySeconds * 1_000,
    maxReceives: receives,
    consume(event, ended) {
      const all = new Set(event.Records.map(({ messageId }) => messageId));
      if (isDown === 'lambda' && !isOver()) return ended(all);
      const by = new Invocation(simulation, { kind: 'intake', timeoutMs: MINUTE, onDeath: () => ended(all) });
      by.start(
        () => intake(event, CONTEXT, servicesFor(by, Number(event.Records[0]?.attributes.ApproximateReceiveCount))),
        (result) => {
          const failed = 'batchItemFailures' in result ? result.batchItemFailures : [];
          ended(new Set(failed.map(({ itemIdentifier }) => itemIdentifier)));
        },
        () => ended(all),
      );
    },
  });
  function servicesFor(by: Invocation, deliveries: number): Services {
    const surroundings = { simulation, queue, memory: courseMemory(by), onEvent: () => {}, onForeign: () => {} };
    const send = (command: SendMessageCommand) => {
      if (command.input.QueueUrl === 'queue') return by.io(queue.sendingOne(command));
      letters.push(...(JSON.parse(command.input.MessageBody ?? '') as { facts: unknown[] }).facts);
      return Promise.resolve({});
    };
    const client = { send } as unknown as SQSClient;
    const { passOn } = rejectedMessages({ client, queueUrl: () => 'queue', deadLettersUrl: () => 'letters' });
    const rejected: Services['rejected'] = {
      passOn: (body, origin) => passOn(body, countsDeliveries ? { ...origin, rejections: deliveries - 1 } : origin),
    };
    return { ...servicesOf(by, surroundings, thisBuild), rejected };
  }
  for (const fact of [...FACTS, OF_NOBODY])
    queue.arrive(JSON.stringify({ facts: [fact] }), simulation.dice.below(2 * MINUTE));
  await simulation.run(EPOCH_MS + 24 * HOUR);
  const stored = servicesOver({
    client: memoryClient(simulation.table),
    clock: { nowMs: () => simulation.nowMs },
    queue: NO_QUEUE,
  }).stores;
  const known = await stored.platform.knownUsers(USERS.map((user_id) => ({ company_id: 'acme', user_id })));
  const pairs = USERS.map((user_id) => ({ user_id, platform_course_id: 101 }));
  const histories = await stored.progress.courseHistories('acme', pairs);
  return {
    users: known.filter((each) => each?.user !== undefined).length,
    progress: [...histories.values()].filter(({ native }) => native?.completion_pct === 40).length,
    letters,
    lost: queue.deadLetters,
  };
}

const NO_QUEUE = { send: async () => {}, postpone: async () => undefined };
const EVERYTHING = { users: USERS.length, progress: USERS.length, letters: [OF_NOBODY], lost: 0 };

it.each(['table', 'lambda'] as const)(
  'after an hour without the %s every fact is in, and only what was rejected is a dead letter',
  async (isDown) => {
    for (const seed of SEEDS) expect({ seed, ...(await afterAnHour(seed, isDown)) }).toEqual({ seed, ...EVERYTHING });
  },
);

it.each([
  ['three deliveries of three minutes', { receives: 3, visibilitySeconds: 180 }],
  ['deliveries counted as rejections', { countsDeliveries: true }],
])('a broken intake is caught: %s', async (_, broken) => {
  const ends = [];
  for (const seed of SEEDS) ends.push(await afterAnHour(seed, 'table', broken));
  expect(ends.some((end) => end.lost > 0 || end.progress < USERS.length)).toBe(true);
});
