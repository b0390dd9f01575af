/** The parts of one release in the simulated stack. `test/formats/builds.ts` bundles this module for other releases. */
import * as approving from '../../functions/handlers/approve-plan.ts';
import * as cancelling from '../../functions/handlers/cancel-import.ts';
import * as polling from '../../functions/handlers/get-import.ts';
import * as listing from '../../functions/handlers/list-import-records.ts';
import * as reverting from '../../functions/handlers/revert-import.ts';
import * as revertingRun from '../../functions/handlers/revert-run.ts';
import * as accepting from '../../functions/handlers/start-import.ts';

export { FORMATS } from '../../functions/dynamodb/encoding.ts';
export { processChunks } from '../../functions/handlers/process-chunk.ts';
export { watch } from '../../functions/handlers/watchdog.ts';
export { RequestRejected } from '../../functions/http/types.ts';
// The name that released builds export.
export { jobQueue as chunkQueue } from '../../functions/jobs/queue.ts';
export { eventBus } from '../../functions/runtime/event-bus.ts';
export { everyStore } from '../kit/services.ts';
export { applyPlan } from '../../functions/plans/apply.ts';
export { makePlan } from '../../functions/runs/make-plan.ts';
export { CHUNK_LIMITS } from '../../functions/shared/limits.ts';

export const startImport = accepting.handler.operation;
export const getImport = polling.handler.operation;
export const approvePlan = approving.handler.operation;
export const cancelImport = cancelling.handler.operation;
export const revertImport = reverting.handler.operation;
export const revertRun = revertingRun.handler.operation;
export const listImportRecords = listing.handler.operation;
