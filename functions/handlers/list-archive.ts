import { download } from '../http/operations.ts';
import { cursorFrom, pageOf } from '../http/paging.ts';
import { archivedPersonFrom, choiceFrom, limitFrom, runIdFrom, wrongValue } from '../http/parameters.ts';
import { checkAll } from '../http/request.ts';
import { archiveReader } from '../imports/archive.ts';
import { readArchive, type ArchivePosition } from '../imports/archived-records.ts';
import { archiveLists, runReader } from '../imports/import-lists.ts';
import { progressReader } from '../imports/progress-store.ts';
import { isExternalIdText } from '../records/identifiers.ts';
import { ARCHIVED_ERRORS, RECORD_INCLUDES } from '../shared/codes.ts';
import { MAX_EXTERNAL_ID_LENGTH, PAGE_LIMITS } from '../shared/limits.ts';
import { listArchive as route } from '../shared/routes.ts';

const FILTERS = ['run_id', 'email', 'external_user_id', 'course', 'error_code', 'include'] as const;

/** `GET …/progress/archive` (§4.12): the records that are kept, newest import first. Errors: 400. */
export const handler = download(
  route,
  (database) => ({
    stores: {
      imports: { ...archiveLists(database), ...runReader(database) },
      archive: archiveReader(database),
      progress: progressReader(database),
    },
  }),
  async (request, { stores }) => {
    const { caller, query } = request;
    const scope = `archive:${JSON.stringify(FILTERS.map((name) => query[name] ?? null))}`;
    const [run_id, name, course, error_code, include] = checkAll(
      request,
      () => runIdFrom(query),
      () => archivedPersonFrom(query),
      () => courseFrom(query),
      () => choiceFrom(query, 'error_code', ARCHIVED_ERRORS),
      () => choiceFrom(query, 'include', RECORD_INCLUDES),
      () => limitFrom(query, PAGE_LIMITS.archive),
      () => cursorFrom<ArchivePosition>(query, caller.company, scope),
    );
    const filter = { run_id, name, course, error_code };
    const { items, next_cursor } = await pageOf(request, {
      scope,
      limits: PAGE_LIMITS.archive,
      read: async (limit, after: ArchivePosition | undefined) => {
        const found = await readArchive(caller.company.company_id, filter, { limit, after }, stores);
        return { ...found, items: found.items.map((each) => shown(each, include !== undefined)) };
      },
      positionOf: ({ position }) => position,
    });
    const archived = items.map(({ entry }) => entry);
    return { statusCode: 200, body: { archived, next_cursor }, shows: archived.length };
  },
);

type Found = Awaited<ReturnType<typeof readArchive>>['items'][number];

function shown({ position, entry }: Found, withRecord: boolean): Found {
  const { record, ...without } = entry;
  return { position, entry: withRecord ? entry : without };
}

function courseFrom({ course }: Readonly<Record<string, string>>): string | undefined {
  if (course === undefined || isExternalIdText(course)) return course;
  throw wrongValue('course', `must have 1 to ${MAX_EXTERNAL_ID_LENGTH} characters`, course);
}
