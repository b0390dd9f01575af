/** The archive of the company: its list, and what of a run can be imported now. */
import { ARCHIVE_PAGE, isAhead, tryArchive } from '../../client/archive.ts';
import type { ArchivedRecord, ArchiveQuery } from '../../wire/types.ts';
import { service, signedIn } from './account.ts';
import { openIn } from './open.ts';
import { Problem } from './protocol.ts';

/** Pages of a bounded search that are read for the next records. */
const MOST_PAGES = 10;
const MOST_RUNS = 100;

export type ArchiveFilter = Pick<ArchiveQuery, 'run_id' | 'email' | 'course' | 'error_code'>;

/** Newest import first. @param cursor of older ones */
export async function listArchive(filter: ArchiveFilter, cursor?: string) {
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  const query = { ...Object.fromEntries(given), include: 'record', limit: ARCHIVE_PAGE } as const;
  const archived: ArchivedRecord[] = [];
  let next = cursor;
  for (let page = 0; page < MOST_PAGES && archived.length === 0; page += 1) {
    const asked = { ...query, ...(next !== undefined && { cursor: next }) };
    const found = await service().operation('list-archive', { company_id: signedIn().company_id }, { query: asked });
    archived.push(...found.archived);
    next = found.next_cursor ?? undefined;
    if (next === undefined) break;
  }
  return { archived, next };
}

/** The newest runs of which something was archived. */
export async function archivingRuns() {
  const { runs } = await service().listRuns({ limit: MOST_RUNS });
  return runs
    .filter(({ counts }) => counts.archived > 0)
    .map(({ run_id, title }) => ({ run_id, title: openIn(title).title }));
}

/** Dry runs of what the archive keeps of a run. @throws Problem where a plan of the run waits, which another would withdraw */
export async function triedArchive(run_id: string) {
  if (isAhead((await service().getRun(run_id)).plan)) throw new Problem('plan_waits');
  return tryArchive(service(), run_id);
}

/** Closes the dry runs of what can be imported in a plan. @throws ServiceError `plan_closed` */
export async function planArchive(run_id: string, import_ids: readonly string[]): Promise<void> {
  await service().planRun(run_id, import_ids);
}
