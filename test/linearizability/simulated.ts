/** Histories of clients in the simulator: with faults, and by virtual time. */
import { cancel } from '../../functions/handlers/cancel-import.ts';
import { getImport } from '../../functions/handlers/get-import.ts';
import { getLearner } from '../../functions/handlers/get-learner.ts';
import { getRecord } from '../../functions/handlers/get-record.ts';
import { listImportRecords } from '../../functions/handlers/list-import-records.ts';
import { revert } from '../../functions/handlers/revert-import.ts';
import { startImport } from '../../functions/handlers/start-import.ts';
import { inCompanyOfCaller } from '../../functions/http/operations.ts';
import type { ProtectedOperation } from '../../functions/http/types.ts';
import { Dice } from '../kit/dice.ts';
import { randomFaults } from '../simulation/faults.ts';
import { deployed, toRest } from '../simulation/run.ts';
import type { Finished } from '../simulation/invariants/finished.ts';
import type { Variant } from '../simulation/stack.ts';
import type { Workload } from '../simulation/workload.ts';
import { COURSES, USERS } from '../simulation/world.ts';
import { Clients, type ClientHistory, type Pair, type Service } from './clients.ts';

const [ann, bob] = USERS;
const [first, second] = COURSES;
export const PAIRS: readonly Pair[] = [
  { ...ann, platform_course_id: first?.platform_course_id ?? 0 },
  { ...ann, platform_course_id: second?.platform_course_id ?? 0 },
  { ...bob, platform_course_id: first?.platform_course_id ?? 0 },
];

function serviceOf({ simulation, stack }: Finished): Service {
  const request = async (kind: string, operation: unknown, sent: Parameters<typeof stack.request>[2]) => {
    const response = await stack.request(kind, inCompanyOfCaller(operation as ProtectedOperation), sent);
    return response && { status: response.statusCode, body: response.body };
  };
  return {
    now: () => Math.floor(simulation.nowMs * 1_000),
    sleep: (ms) =>
      new Promise((resolve) => {
        simulation.after(ms, () => {
          simulation.touch();
          resolve();
        });
      }),
    startImport: (key, records) =>
      request('accept', startImport, {
        key,
        headers: { 'idempotency-key': key },
        json: () => ({ dry_run: false, records }),
      }),
    getImport: (key) => request('poll', getImport, { key }),
    listRecords: (key) => request('poll', listImportRecords, { key }),
    cancelImport: (key) => request('cancel', cancel, { key }),
    revertImport: (key) => request('revert', revert, { key, json: () => ({ dry_run: false }) }),
    audit: (external_record_id) => request('audit', getRecord, { query: { external_record_id } }),
    transcript: (email) => request('transcript', getLearner, { query: { email } }),
  };
}

const WORKLOAD: Workload = {
  imports: [],
  changes: [],
  chunkRecords: 1,
  backlogMs: 0,
  settledPairs: true,
  // Then no invocation outlives its time-out.
  runReverts: [],
};

/** Up to six faults in the first steps. */
export async function simulatedHistory(seed: number, variant: Variant = {}): Promise<ClientHistory> {
  const run = await deployed({ seed, workload: WORKLOAD, faults: randomFaults(seed, 6, 120), variant });
  const clients = new Clients(serviceOf(run), PAIRS, new Dice(seed, 11));
  const finished = clients.work();
  await toRest(run);
  await finished;
  run.simulation.quiet = true;
  const history = clients.history();
  await toRest(run);
  return history;
}
