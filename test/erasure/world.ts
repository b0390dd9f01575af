/** A company of three learners, one of whom is erased. */
import { beforeEach } from 'vitest';
import { unpackContribution } from '../../functions/imports/contribution-item.ts';
import { acceptImport } from '../../functions/imports/accept.ts';
import { fingerprintOf } from '../../functions/imports/idempotency-key.ts';
import { readResults } from '../../functions/imports/results.ts';
import { intake } from '../../functions/handlers/intake.ts';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { watch } from '../../functions/handlers/watchdog.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { delivery } from '../kit/sqs-event.ts';
import { createWorld } from '../kit/world.ts';
import { COMPANY, leftOfPerson, registerPerson, user } from './person.ts';

const course = (platform_course_id: number) => ({
  kind: 'course',
  version: 1,
  company_id: COMPANY,
  platform_course_id,
  title: 'A course',
  has_exam: true,
});

export type ErasureWorld = Awaited<ReturnType<typeof erasureWorld>>;

/** A new world before each test. */
export function useErasureWorld(): ErasureWorld {
  const world = {} as ErasureWorld;
  beforeEach(async () => {
    Object.assign(world, await erasureWorld());
    await world.setUp();
  });
  return world;
}

export async function erasureWorld() {
  const world = createWorld();
  const { clock, table, services, stores, messages, revertMessages, erasureMessages, applicationMessages } = world;

  const queues = [messages, revertMessages, erasureMessages, applicationMessages];

  const tell = (...facts: object[]) => intake({ facts }, CONTEXT, services);

  /** Returns whether it was acknowledged. */
  const deliverOne = async (message: object): Promise<boolean> =>
    (await processChunks(delivery([message]), CONTEXT, services)).batchItemFailures.length === 0;

  return {
    ...world,
    tell,
    deliverOne,
    async setUp(): Promise<void> {
      await tell(user(8, 'ben@acme.test', 1), user(9, 'cid@acme.test', 1), course(101), course(102));
      await registerPerson(services);
      const updated_at = '2026-01-01T00:00:00.000Z';
      await stores.mappings.putUserMappings(COMPANY, [
        { external_user_id: 'ext-ben', email: 'ben@acme.test', user_id: 8, updated_at },
      ]);
    },
    accept(
      import_id: string,
      records: readonly unknown[],
      dry_run = false,
      run_id: string | null = null,
      archive = false,
    ) {
      const ids = { company_id: COMPANY, import_id, attempt_id: 'attempt', by: 1, run_id, archive };
      return acceptImport({ ...ids, dry_run, records, fingerprint: fingerprintOf({ dry_run, records }) }, services);
    },
    async reported(import_id: string) {
      const item = await stores.imports.read({ company_id: COMPANY, import_id });
      return (item && (await readResults(item, services))) ?? [];
    },
    isErasing: () => [...table.items()].some(({ pk }) => String(pk).includes('#erasure#')),
    /** Delivers all messages, also of imports and reverts, until there are no more. */
    async comeToRest(): Promise<void> {
      for (let minute = 0; minute < 200; minute += 1) {
        const all = queues.flatMap((queue): object[] => queue.splice(0));
        for (const message of all) await deliverOne(message);
        const isSent = queues.some(({ length }) => length > 0);
        if (!isSent && (await stores.jobs.listOpen()).length === 0) return;
        clock.now += 70_000;
        if (!isSent) await watch({}, CONTEXT, services);
      }
      throw new Error('It does not come to rest.');
    },
    /** Each place in which something of the person is left. */
    findings: () => leftOfPerson(table.items(), [...queues, world.events, world.telemetry.lines]),
    contributions: (user_id: number): unknown[] =>
      [...table.items()]
        .filter(({ pk }) => pk === `${COMPANY}#learner#${user_id}`)
        .flatMap((item) =>
          Object.entries(item).flatMap(([name, value]) =>
            name.startsWith('m#') ? [unpackContribution(name, value)] : [],
          ),
        ),
  };
}
