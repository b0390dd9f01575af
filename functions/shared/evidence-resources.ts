/** Evidence of a run, as its operations return it (§4.10). */
import * as v from 'valibot';
import { importCounts, instant, nextCursor, only, platformId } from './resources.ts';

const digest = (what: string) => v.pipe(v.nullable(v.string()), v.description(`SHA-256 in hexadecimal of ${what}.`));

/** An import as evidence names it (§4.10). */
export const evidenceEntry = v.object({
  import_id: v.string(),
  created_at: instant,
  created_by: v.pipe(platformId, v.description('User id of the caller.')),
  completed_at: v.nullable(instant),
  cancelled_at: v.nullable(instant),
  reverted_at: v.nullable(instant),
  counts: importCounts,
  records_digest: digest(
    'its records as `include=record` shows them, each as canonical JSON (RFC 8785) and a line feed',
  ),
  results_digest: digest('its results as the list of the run shows them without `include`, likewise'),
  erased: v.optional(only('A person was erased since: results no longer match their digest.')),
});
export const evidenceList = v.object({ imports: v.array(evidenceEntry), next_cursor: nextCursor });
export const signedEvidence = v.object({
  evidence: v.pipe(v.string(), v.description('A compact JWS (RFC 7515) of the type `migration-evidence+jwt`.')),
});
