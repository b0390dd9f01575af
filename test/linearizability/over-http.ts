/** Histories of clients on the local stack, over HTTP, by the clock of the machine. Each has a company's learners of its own. */
import { setTimeout as pause } from 'node:timers/promises';
import { hasJava } from '../../bin/local/engine/dynamodb-local.ts';
import { importIdForKey } from '../../functions/imports/idempotency-key.ts';
import { Dice } from '../kit/dice.ts';
import { sender, tokensOf, type Send } from '../kit/http-client.ts';
import { startStackOn } from '../kit/local-stack.ts';
import { Clients, type ClientHistory, type Pair, type Service } from './clients.ts';

const ADMIN = { email: 'admin@acme.test', password: 'correct horse battery staple' };
const COMPANY = 'acme';
const COURSES = [101, 102];

/** Two learners for each history. */
const learner = (user_id: number) => ({ user_id, email: `learner-${user_id}@acme.test` });
const learnersOf = (at: number) => [learner(1_000 + 2 * at), learner(1_001 + 2 * at)];

function dataFile(histories: number): object {
  const of = { company_id: COMPANY, avatar: 'https://example.com/a.png', license: 'active' };
  const learners = Array.from({ length: histories }, (_, at) => learnersOf(at)).flat();
  return {
    companies: [{ company_id: COMPANY, name: 'Acme', migrations_enabled: true }],
    users: [
      { ...of, ...ADMIN, id: 99, name: 'Ada', role: 'admin' },
      ...learners.map(({ user_id, email }) => ({ ...of, id: user_id, email, name: 'Learner', role: 'customer' })),
    ],
    courses: COURSES.map((platform_course_id) => ({
      company_id: COMPANY,
      platform_course_id,
      title: 'A course',
      has_exam: false,
      classes: [{ platform_class_id: platform_course_id * 10, title: 'A class' }],
    })),
    progress: [],
  };
}

function serviceOf(send: Send, token: string, ids: (external_record_id: string) => string): Service {
  const base = `/v1/migrations/${COMPANY}/progress`;
  const of = (key: string) => `${base}/imports/${importIdForKey(COMPANY, key)}`;
  const get = (path: string) => send('GET', path, { token });
  return {
    // Two clients never begin in one moment, so that their order is known.
    now: () => Math.round(performance.now() * 1_000),
    sleep: (ms) => pause(ms),
    startImport: (key, records) =>
      send('POST', `${base}/imports`, {
        token,
        headers: { 'idempotency-key': key },
        body: {
          dry_run: false,
          records: (records as { external_record_id: string }[]).map((record) => ({
            ...record,
            external_record_id: ids(record.external_record_id),
          })),
        },
      }),
    getImport: (key) => get(of(key)),
    listRecords: (key) => get(`${of(key)}/records`),
    cancelImport: (key) => send('POST', `${of(key)}/cancel`, { token }),
    revertImport: (key) => send('POST', `${of(key)}/revert`, { token, body: { dry_run: false } }),
    audit: (id) => get(`${base}/records?external_record_id=${ids(id)}`),
    transcript: (email) => get(`${base}/learners?email=${encodeURIComponent(email)}`),
  };
}

async function historyOn(send: Send, token: string, at: number, seed: number): Promise<ClientHistory> {
  const [ann = learner(0), bob = learner(0)] = learnersOf(at);
  const pairs: Pair[] = [
    { ...ann, platform_course_id: 101 },
    { ...ann, platform_course_id: 102 },
    { ...bob, platform_course_id: 101 },
  ];
  const service = serviceOf(send, token, (id) => `${id}-${at}`);
  const clients = new Clients(service, pairs, new Dice(seed, 12), { name: `${at}-` });
  await clients.work();
  await clients.ended();
  return clients.history();
}

const TOGETHER = 10;

/** The usual engine of the local stack first, then DynamoDB Local. Ten histories at a time share the company, and so its gate. */
export async function* stackHistories(
  from: number,
  count: number,
): AsyncGenerator<{ engine: string; found: ClientHistory[] }> {
  for (const engine of ['dynoxide', 'dynamodb-local'] as const) {
    if (engine === 'dynamodb-local' && !(await hasJava())) {
      console.log('DynamoDB Local: skipped, because it needs Java 17.');
      return;
    }
    const stack = await startStackOn(dataFile(count), { engine });
    try {
      const send = sender(stack.url);
      const { access } = await tokensOf(send, ADMIN.email, ADMIN.password);
      const found: ClientHistory[] = [];
      for (let at = 0; at < count; at += TOGETHER) {
        const some = Array.from({ length: Math.min(TOGETHER, count - at) }, (_, position) => at + position);
        found.push(...(await Promise.all(some.map((each) => historyOn(send, access, each, from + each)))));
      }
      yield { engine, found };
    } finally {
      await stack.stop();
    }
  }
}
