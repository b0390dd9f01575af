/**
 * Many companies, each with several reverts and imports between them, on a clock that jumps from message to message.
 * The watchdog does not run, so nothing here is found by a sweep. Costs a second.
 */
import { expect, it } from 'vitest';
import { acceptImport } from '../../functions/imports/accept.ts';
import { fingerprintOf } from '../../functions/imports/idempotency-key.ts';
import { processChunk } from '../../functions/imports/process.ts';
import { dispatch, type Message } from '../../functions/jobs/work.ts';
import { continueErasure } from '../../functions/erasure/steps.ts';
import { requestImportRevert } from '../../functions/reverts/request.ts';
import { continueRevert } from '../../functions/reverts/steps.ts';
import { Dice } from '../kit/dice.ts';
import { planted } from '../kit/planted.ts';
import { START_MS, createWorld } from '../kit/world.ts';
import { record } from '../imports/world.ts';

const SECOND = 1_000;
const COMPANIES = Array.from({ length: 10 }, (_, at) => `company-${at}`);
const REVERTS = 5;
const CALLS_MS = 20;

/** What happens at a time, and the messages, in the order of their times. */
function timeline(clock: { now: number }) {
  const events: { readonly at: number; readonly run: () => Promise<unknown> }[] = [];
  return {
    add: (ms: number, run: () => Promise<unknown>) => void events.push({ at: clock.now + ms, run }),
    async play(): Promise<void> {
      while (events.length > 0) {
        const [first] = events.toSorted((a, b) => a.at - b.at);
        if (first === undefined) return;
        events.splice(events.indexOf(first), 1);
        clock.now = Math.max(clock.now, first.at) + CALLS_MS;
        await first.run();
      }
    },
  };
}

async function busyWorld() {
  const clock = { now: START_MS, nowMs: () => clock.now };
  const time = timeline(clock);
  const deliver = (message: Message): Promise<unknown> =>
    dispatch<unknown>(message, {
      chunk: (chunk) => processChunk(chunk, services),
      revert: (revert) => continueRevert(revert, services),
      erasure: (erasure) => continueErasure(erasure, services),
    });
  const send = async (messages: readonly Message[]) => {
    for (const message of messages) time.add((message.delaySeconds ?? 0) * SECOND + 100, () => deliver(message));
  };
  const { services, stores } = createWorld({ clock, queue: { send, postpone: async () => undefined } });
  const course = { platform_course_id: 101, title: 'One', has_exam: true, classes: [] };
  const ann = {
    user_id: 7,
    email: 'ann@acme.test',
    name: '',
    role: 'customer',
    avatar: '',
    license: 'active',
  } as const;
  for (const [at, company_id] of COMPANIES.entries()) {
    await planted(stores.platform).putUsers([{ ...ann, company_id, user_id: 7 + at, email: `ann@${company_id}.test` }]);
    await planted(stores.platform).putCourses(company_id, [course]);
  }
  const accept = async (company_id: string, import_id: string) => {
    const records = [record(import_id, `ann@${company_id}.test`), record('shared', `ann@${company_id}.test`)];
    const sender = { created_by: 1, run_id: null, attempt_id: import_id };
    const request = {
      company_id,
      import_id,
      ...sender,
      dry_run: false,
      records,
      fingerprint: fingerprintOf({ dry_run: false, records }),
    };
    return acceptImport(request, services);
  };
  const revert = async (company_id: string, import_id: string) => {
    const item = await stores.imports.read(company_id, import_id);
    if (item !== undefined) await requestImportRevert(item, 1, services);
  };
  return { time, clock, stores, accept, revert };
}

it('reverts and imports of ten companies end within a minute, each company’s reverts in the order in which they were requested', async () => {
  const { time, stores, accept, revert } = await busyWorld();
  const dice = new Dice(25);
  const ids = (kind: string) => Array.from({ length: REVERTS }, (_, at) => `${kind}-${at}`);
  const each = (run: (company_id: string, at: number) => void) =>
    COMPANIES.forEach((company_id) => ids('').forEach((_, at) => run(company_id, at)));
  each((company_id, at) => time.add(at * SECOND, () => accept(company_id, `old-${at}`)));
  await time.play();
  each((company_id, at) => {
    time.add(at * 8 * SECOND + dice.below(7 * SECOND), () => revert(company_id, `old-${at}`));
    time.add(at * 8 * SECOND + dice.below(7 * SECOND), () => accept(company_id, `new-${at}`));
  });
  await time.play();
  for (const company_id of COMPANIES) {
    const reverts = await Promise.all(
      ids('old').map((import_id) => stores.reverts.read({ kind: 'import', company_id, import_id })),
    );
    const imports = await Promise.all(ids('new').map((import_id) => stores.imports.read(company_id, import_id)));
    const tookMs = [
      ...reverts.map((done) => Date.parse(done?.completed_at ?? '') - Date.parse(done?.requested_at ?? '')),
      ...imports.map((item) => Date.parse(item?.completed_at ?? '') - Date.parse(item?.created_at ?? '')),
    ];
    expect(tookMs.filter((ms) => !(ms <= 60 * SECOND))).toEqual([]);
    const ended = reverts.map((done) => done?.completed_at ?? '');
    expect(ended).toEqual(ended.toSorted());
    expect(await stores.jobs.readGate(company_id)).not.toHaveProperty('by');
  }
});
