/**
 * A company of three learners, one of whom is erased: every value of theirs has a word in it that is looked for afterwards. Any
 * invocation may die before any of its calls to the database.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { brotliDecompressSync } from 'node:zlib';
import { unpackContribution } from '../../functions/imports/contribution-item.ts';
import type { Acceptance } from '../../functions/imports/accept.ts';
import { acceptImport } from '../../functions/imports/accept.ts';
import { fingerprintOf } from '../../functions/imports/idempotency-key.ts';
import { readResults } from '../../functions/imports/results.ts';
import { intake } from '../../functions/handlers/intake.ts';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { watch } from '../../functions/handlers/watchdog.ts';
import { execute } from '../kit/memory-table/commands.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { MemoryTable, type Attributes } from '../kit/memory-table/memory-table.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { delivery } from '../kit/sqs-event.ts';
import { createWorld } from '../kit/world.ts';

export const COMPANY = 'acme';
export const ANN_ID = 7_070_707;
export const ANN = 'ann.Planted@Acme.test';
export const FORMER = 'former-planted@acme.test';
export const EXTERNAL = 'ext-planted';
export const UNREGISTERED = 'ext-planted-unregistered';
/** What every planted value contains, in lower case. */
const PLANTED = /planted|7070707/;
/** The version of the person's user id: without it a fact of before would bring them back. */
const TOMBSTONE = `${COMPANY}#fact#user-${ANN_ID}`;

const user = (id: number, email: string, version: number) => ({
  kind: 'user',
  version,
  id,
  company_id: COMPANY,
  email,
  name: id === ANN_ID ? 'Ann Planted' : 'Other',
  role: 'customer',
  avatar: id === ANN_ID ? 'https://planted.test/a.png' : '',
  license: 'active',
});
const course = (platform_course_id: number) => ({
  kind: 'course',
  version: 1,
  company_id: COMPANY,
  platform_course_id,
  title: 'A course',
  has_exam: true,
});
export const NATIVE = { kind: 'progress', company_id: COMPANY, user_id: ANN_ID, platform_course_id: 101 };
export const ANN_FACT = user(ANN_ID, ANN, 5);
export const ERASE = { kind: 'user', company_id: COMPANY, id: ANN_ID, version: 20, erase: true };

/** The invocation that stalls. */
const stalled = new AsyncLocalStorage<{ callsLeft: number; readonly resumed: Promise<void> }>();

class Killed extends Error {
  override readonly name = 'Killed';
}

export async function erasureWorld() {
  let callsLeft = Number.POSITIVE_INFINITY;
  let calls = 0;
  const table = new MemoryTable();
  const client = clientOf(async (command) => {
    const held = stalled.getStore();
    if (held !== undefined) {
      if (held.callsLeft === 0) await held.resumed;
      held.callsLeft -= 1;
    }
    if (callsLeft <= 0) throw new Killed();
    callsLeft -= 1;
    calls += 1;
    return execute(command, table);
  });
  const world = createWorld({ client });
  const { clock, services, stores, messages, revertMessages, erasureMessages } = world;
  let attempts = 0;

  const tell = (...facts: object[]) => intake({ facts }, CONTEXT, services);

  /** Delivers one message to an invocation that dies before its n-th call. Returns whether it was acknowledged. */
  const deliverOne = async (message: object, diesAt = Number.POSITIVE_INFINITY): Promise<boolean> => {
    callsLeft = diesAt;
    const { batchItemFailures } = await processChunks(delivery([message]), CONTEXT, services);
    callsLeft = Number.POSITIVE_INFINITY;
    return batchItemFailures.length === 0;
  };

  const self = {
    ...world,
    table,
    /** Begins an invocation that stalls before its n-th call, until it is resumed. */
    stall(run: () => Promise<unknown>, beforeCall: number) {
      const { promise: resumed, resolve } = Promise.withResolvers<void>();
      const ended = stalled.run({ callsLeft: beforeCall, resumed }, run).catch(() => undefined);
      return {
        async resume(): Promise<void> {
          resolve();
          await ended;
        },
      };
    },
    calls: () => calls,
    tell,
    deliverOne,
    async setUp(): Promise<void> {
      await tell(
        user(ANN_ID, FORMER, 1),
        user(8, 'ben@acme.test', 1),
        user(9, 'cid@acme.test', 1),
        course(101),
        course(102),
      );
      await tell(ANN_FACT, { ...NATIVE, version: 4, completion_pct: 5 });
      const updated_at = '2026-01-01T00:00:00.000Z';
      await stores.mappings.putUserMappings(COMPANY, [
        { external_user_id: EXTERNAL, email: ANN, user_id: ANN_ID, updated_at },
        { external_user_id: 'ext-ben', email: 'ben@acme.test', user_id: 8, updated_at },
      ]);
      await stores.sessions.create({
        session_id: 'session-of-ann',
        company_id: COMPANY,
        user_id: ANN_ID,
        email: ANN,
        began_at: updated_at,
        revoked: false,
        current: { jti: 'j', iat: 0, exp: 1 },
        spent: [],
        expires_at_seconds: 4_000_000_000,
      });
    },
    accept(import_id: string, records: readonly unknown[], dry_run = false): Promise<Acceptance> {
      attempts += 1;
      const ids = { company_id: COMPANY, import_id, attempt_id: `attempt-${attempts}`, created_by: 1, run_id: null };
      return acceptImport({ ...ids, dry_run, records, fingerprint: fingerprintOf({ dry_run, records }) }, services);
    },
    /** The same request again: an import that is there is not staged anew. */
    async replay(import_id: string, records: readonly unknown[], dry_run = false): Promise<Acceptance> {
      const existing = await stores.imports.read(COMPANY, import_id);
      attempts += 1;
      const ids = { company_id: COMPANY, import_id, attempt_id: `attempt-${attempts}`, created_by: 1, run_id: null };
      const request = { ...ids, dry_run, records, fingerprint: fingerprintOf({ dry_run, records }) };
      return acceptImport({ ...request, ...(existing && { existing }) }, services);
    },
    async reported(import_id: string) {
      const item = await stores.imports.read(COMPANY, import_id);
      return (item && (await readResults(item, services))) ?? [];
    },
    async tick(ms = 61_000): Promise<void> {
      clock.now += ms;
      await watch({}, CONTEXT, services);
    },
    isErasing: () => [...table.items()].some(({ pk }) => String(pk).includes('#erasure#')),
    /** Delivers all that was sent, also of imports and reverts, until nothing comes any more. */
    async comeToRest(): Promise<void> {
      for (let minute = 0; minute < 200; minute += 1) {
        const all = [...messages.splice(0), ...revertMessages.splice(0), ...erasureMessages.splice(0)];
        for (const message of all) await deliverOne(message);
        if (messages.length + revertMessages.length + erasureMessages.length > 0) clock.now += 70_000;
        else if ((await stores.jobs.listOpen()).length === 0) return;
        else await self.tick();
      }
      throw new Error('It does not come to rest.');
    },
    /** Each place in which something of the person is left. */
    findings(): string[] {
      const told = { messages, revertMessages, erasureMessages, events: world.events, lines: world.telemetry.lines };
      const found = [...table.items()].flatMap((item) => {
        const { pk, ...rest } = item;
        const text = JSON.stringify(pk === TOMBSTONE ? rest : item, readable).toLowerCase();
        return PLANTED.test(text) ? [`${String(pk)} ${String(item['sk'])}: ${text.slice(0, 600)}`] : [];
      });
      const said = JSON.stringify(told, readable).toLowerCase();
      return PLANTED.test(said) ? [...found, said] : found;
    },
    contributions: (user_id: number): unknown[] =>
      [...table.items()]
        .filter(({ pk }) => pk === `${COMPANY}#learner#${user_id}`)
        .flatMap((item: Attributes) =>
          Object.entries(item).flatMap(([name, text]) =>
            name.startsWith('m#') ? [unpackContribution(name, String(text))] : [],
          ),
        ),
  };
  return self;
}

export type ErasureWorld = Awaited<ReturnType<typeof erasureWorld>>;

/** Compressed values as the text that they hold (a Buffer has a JSON form of its own), errors as what they say. */
function readable(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const raw = this[name];
  if (raw instanceof Error) return `${raw.name} ${raw.message} ${raw.stack}`;
  return raw instanceof Uint8Array ? brotliDecompressSync(raw).toString() : value;
}
