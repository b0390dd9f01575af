import { directoryStore } from '../catalog/directory-store.ts';
import { download } from '../http/operations.ts';
import { fitsResponse } from '../http/paging.ts';
import { wrongValue } from '../http/parameters.ts';
import { checkAll } from '../http/request.ts';
import { RequestRejected } from '../http/types.ts';
import { progressReader } from '../imports/progress-store.ts';
import { externalRecordIdOf, learnerCourseId } from '../records/identifiers.ts';
import { effectiveProgress } from '../records/merge.ts';
import { quoted } from '../records/text.ts';
import { auditEntry } from '../records/transcript.ts';
import { versionsOf } from '../records/versions.ts';
import { MAX_EXTERNAL_ID_LENGTH } from '../shared/limits.ts';
import type { LearnerCourse } from '../shared/model.ts';
import { getRecord as route } from '../shared/routes.ts';

/** `GET …/progress/records?external_record_id=…`: the audit read, all versions of this record, oldest first. Errors: 400, 404 `record_not_found`, 413. */
export const handler = download(
  route,
  (database) => ({
    stores: { progress: progressReader(database), directory: directoryStore(database) },
  }),
  async (request, { stores }) => {
    const [external_record_id] = checkAll(request, () => recordIdFrom(request.query));
    const { company_id } = request.caller.company;
    const pair = (await stores.progress.identities(company_id, [external_record_id])).get(external_record_id);
    const pairs = pair === undefined ? [] : [pair];
    const [histories, courses] = await Promise.all([
      stores.progress.courseHistories(company_id, pairs),
      stores.directory.courses(company_id, pairs.map(courseIdOf), false),
    ]);
    const stored = pair && histories.get(learnerCourseId(pair));
    const own = (stored?.contributions ?? []).filter((each) => each.external_record_id === external_record_id);
    if (pair === undefined || stored === undefined || own.length === 0) {
      const message = `No record ${quoted(external_record_id)} was imported.`;
      throw new RequestRejected('record_not_found', message, { field: 'external_record_id' });
    }
    const body = {
      external_record_id,
      user_id: pair.user_id,
      platform_course_id: pair.platform_course_id,
      contributions: versionsOf(own).map(auditEntry),
      native: stored.native,
      effective: effectiveProgress(stored.native, stored.contributions, courses.get(courseIdOf(pair))),
    };
    if (!fitsResponse(body)) {
      const elsewhere = `GET …/progress/learners?user_id=${pair.user_id} shows them page by page`;
      const message = `The ${body.contributions.length} versions of this record exceed one response; ${elsewhere}.`;
      throw new RequestRejected('payload_too_large', message);
    }
    return { statusCode: 200, body };
  },
);

function recordIdFrom(query: Readonly<Record<string, string>>): string {
  const external_record_id = externalRecordIdOf(query);
  if (external_record_id !== null) return external_record_id;
  const { external_record_id: sent } = query;
  throw wrongValue('external_record_id', `must have 1 to ${MAX_EXTERNAL_ID_LENGTH} characters`, sent);
}

const courseIdOf = ({ platform_course_id }: LearnerCourse): number => platform_course_id;
