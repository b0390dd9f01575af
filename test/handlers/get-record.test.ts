/** The audit read of a record whose versions do not fit one response. On a table in memory. */
import { expect, it } from 'vitest';
import { handler as getRecord } from '../../functions/handlers/get-record.ts';
import { operationRequest } from '../kit/api-event.ts';
import { planted } from '../kit/planted.ts';
import { COMPANY_ID, importWorld, record } from '../imports/world.ts';

const CLASSES = Array.from({ length: 800 }, (_, at) => ({ platform_class_id: 100_001 + at, title: '' }));
const VIEWS = CLASSES.map(({ platform_class_id }) => ({ platform_class_id, viewed_at: '2024-01-01T03:04:05Z' }));

it('versions that exceed one response are refused with the way to the transcript; no repetition helps', async () => {
  const world = await importWorld();
  const { services, stores } = world;
  const course = { platform_course_id: 101, title: '101', has_exam: true, classes: CLASSES };
  await planted(stores.platform).putCourses(COMPANY_ID, [course]);
  const content = { type: 'course', platform_course_id: 101 };
  await world.accept([{ ...record('r-1'), content, progress: { classes: VIEWS } }]);
  await world.deliver();
  /** As many versions of the record as this, each as large as the one that is stored. */
  const ask = (versions: number) => {
    const { progress } = services.stores;
    const courseHistories: typeof progress.courseHistories = async (...pairs) => {
      const histories = await progress.courseHistories(...pairs);
      for (const [id, history] of histories) {
        const contributions = Array.from({ length: versions }, (_, at) =>
          history.contributions.map((stored) => ({ ...stored, content_hash: `${at}` })),
        );
        histories.set(id, { ...history, contributions: contributions.flat() });
      }
      return histories;
    };
    const query = { external_record_id: 'r-1' };
    const many = { ...services, stores: { ...services.stores, progress: { ...progress, courseHistories } } };
    return getRecord.operation(operationRequest({ query }), many);
  };
  expect((await ask(60)).body).toHaveProperty('contributions.length', 60);
  const message =
    'The 100 versions of this record exceed one response; GET …/progress/learners?user_id=7 shows them page by page.';
  await expect(ask(100)).rejects.toMatchObject({ problem: { error_code: 'payload_too_large', message } });
});
