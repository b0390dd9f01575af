/**
 * Kills real processes: starts the local stack, posts imports without a pause, kills the whole process
 * group with SIGKILL at a random moment, and starts it again; 20 times, or `-- --kills N`. Then every promise is checked over
 * HTTP. About three minutes on two cores.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../../../bin/local/engine.ts';
import { Dice } from '../../kit/dice.ts';
import { randomRecord } from '../workload.ts';
import { COURSES, USERS } from '../world.ts';
import { Client, Ledger, type Sent } from './ledger.ts';
import { StackProcess } from './stack-process.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const KILLS = Number(values.kills);
const IMPORTS_A_LIFE = 3;
const LONGEST_END_MS = 240_000;
const ADMIN = { email: 'admin@acme.test', password: 'correct horse battery staple' };

const dice = new Dice(Number(values.seed), 3);
const ledger = new Ledger();
const folder = mkdtempSync(join(tmpdir(), 'migration-kill-'));
const data = join(folder, 'data.json');
writeFileSync(data, JSON.stringify(dataFile()));
const options = { dir: join(folder, 'kept'), data, port: await freePort() };
const client = new Client(options.port, ledger.violations);
const service = { isUp: false };

function dataFile() {
  const of = { company_id: 'acme', avatar: 'https://example.com/a.png' };
  return {
    companies: [{ company_id: 'acme', name: 'Acme', migrations_enabled: true }],
    users: [
      { ...of, ...ADMIN, id: 99, name: 'Ada', role: 'admin', license: 'active' },
      ...USERS.map(({ user_id, email, name, role, license }) => ({ ...of, id: user_id, email, name, role, license })),
    ],
    courses: COURSES.map((course) => ({ company_id: 'acme', ...course })),
    progress: [],
  };
}

/** Records without mapped ids, as mappings are no part of the data file; and one id for each pair. */
function batch(): unknown[] {
  const unwanted = ['"external_user_id"', '"external_course_id"', '"r-5"'];
  const isWanted = (record: unknown) => !unwanted.some((text) => JSON.stringify(record).includes(text));
  const records = Array.from({ length: dice.between(1, 25) }, () => randomRecord(dice, true)).filter(isWanted);
  return records.length > 0 ? records : [null];
}

/** Posts imports until the service dies. `most`: the highest number of imports so far, so that later lives get some too. */
async function keepSending(most: number): Promise<void> {
  while (service.isUp) {
    if (ledger.sent.length >= most) {
      await pause(5);
      continue;
    }
    const one: Sent = { key: `key-${ledger.sent.length}`, records: batch() };
    ledger.sent.push(one);
    await attempt(async () => ledger.answered(one, await client.import(one.records, one.key)));
    if (one.accepted !== undefined && dice.chance(0.3)) await attempt(() => poll(one));
  }
}

async function keepLooking(): Promise<void> {
  while (service.isUp) {
    const known = ledger.sent.filter(({ accepted }) => accepted !== undefined);
    if (known.length > 0) await attempt(() => poll(dice.pick(known)));
    await attempt(() => ledger.audit(client));
    await pause(20);
  }
}

async function poll(one: Sent): Promise<void> {
  ledger.polled(one, await client.get(`/progress/imports/${one.accepted.import_id}`));
}

/** A call that a kill of the service cuts off is no violation. */
async function attempt(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (service.isUp && !(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
    await pause(10);
  }
}

async function liveAndDie(kill: number): Promise<void> {
  const stack = new StackProcess(options);
  if (kill % 5 === 4) {
    await pause(dice.between(300, 3_000));
    return stack.kill();
  }
  await stack.ready();
  if (kill === 0) await client.login(ADMIN.email, ADMIN.password);
  service.isUp = true;
  const most = IMPORTS_A_LIFE * (kill + 1);
  const working = [keepSending(most), keepSending(most), keepSending(most), keepLooking()];
  await pause(dice.between(150, 4_000));
  service.isUp = false;
  await stack.kill();
  await Promise.all(working);
}

/** Sends requests without a response again, and waits for the end of every import. */
async function finish(): Promise<void> {
  const stack = new StackProcess(options);
  await stack.ready();
  for (const one of ledger.sent) ledger.answered(one, await client.import(one.records, one.key));
  const until = performance.now() + LONGEST_END_MS;
  for (const one of ledger.sent) {
    do {
      await poll(one);
      if (one.seen.status === 'processing') await pause(200);
    } while (one.seen.status === 'processing' && performance.now() < until);
    if (one.seen.status === 'processing') ledger.violate(`${one.key} never ended`);
  }
  for (const one of ledger.sent) ledger.answered(one, await client.import(one.records, one.key));
  await ledger.settle(client);
  await stack.stop();
}

try {
  for (let kill = 0; kill < KILLS; kill += 1) await liveAndDie(kill);
  await finish();
  const records = ledger.sent.reduce((sum, one) => sum + one.records.length, 0);
  console.log(
    `${KILLS} kills; ${ledger.sent.length} imports with ${records} records, ${ledger.responses} responses, ${ledger.polls} polls, ` +
      `${ledger.audits} audit reads; ${ledger.violations.length} violations`,
  );
  for (const violation of ledger.violations.slice(0, 10)) console.log(`  ${violation}`);
  if (ledger.violations.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
