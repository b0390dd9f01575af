/** The resources of reverts (§4.9); the other resources are in resources.ts. */
import * as v from 'valibot';
import { REVERT_OUTCOMES, REVERT_STATUSES } from './codes.ts';
import { count, instant, note, platformId, resultProgress } from './resources.ts';

/** The records that a revert takes back, took back, or would take back (§4.9). */
const revertMembers = {
  company_id: v.string(),
  run_id: v.pipe(v.nullable(v.string()), v.description('The migration; null if the import is part of none.')),
  status: v.pipe(v.picklist(REVERT_STATUSES), v.description('Of a dry run: validated. Else processing, then success.')),
  dry_run: v.boolean(),
  created_at: v.pipe(instant, v.description('When it was requested.')),
  created_by: v.pipe(platformId, v.description('User id of the admin who requested it.')),
  completed_at: v.nullable(instant),
};
const revertCounts = { total: count, reverted: count, nothing_to_revert: count };
export const revertedRecord = v.object({
  index: v.pipe(count, v.description('Position of the record in the import.')),
  external_record_id: v.nullable(v.string()),
  outcome: v.pipe(
    v.picklist(REVERT_OUTCOMES),
    v.description('`nothing_to_revert`: it was rejected, or wrote nothing.'),
  ),
  progress: v.pipe(
    v.nullable(resultProgress),
    v.description('Effective progress afterwards; null if nothing changes.'),
  ),
  erased: v.optional(note.erased),
});
export const revertResource = v.object({
  import_id: v.string(),
  ...revertMembers,
  counts: v.object(revertCounts),
  records: v.pipe(v.array(revertedRecord), v.description('In the order sent; empty while processing.')),
});
export const runRevertResource = v.object({
  ...revertMembers,
  run_id: v.string(),
  counts: v.pipe(
    v.object({ imports: count, ...revertCounts }),
    v.description('Of its records; they grow while it is processing.'),
  ),
});
