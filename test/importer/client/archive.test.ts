/** What of the archive of a run can be imported now, over the whole service in memory. Costs a second. */
import { beforeEach, expect, it } from 'vitest';
import { countCauses, isAhead, tryArchive } from '../../../bin/importer/client/archive.ts';
import { createPlatform, type Platform } from '../command/support/platform.ts';
import { ofCourse, ofLeaver } from '../command/support/runs.ts';

const RUN = 'spring';
let platform: Platform;

beforeEach(async () => {
  platform = await createPlatform();
});

it('counts what can be imported, and the causes of the rest; the dry runs for a plan have nothing else', async () => {
  const { client } = platform;
  const records = [ofCourse('retired'), ofLeaver('gone')];
  await client.startImport({ dry_run: false, archive: true, run_id: RUN, records });
  expect(await tryArchive(client, RUN)).toMatchObject({ archived: 2, importable: 0 });
  await client.registerCourseMappings([{ external_course_id: 'old-1', platform_course_id: 102 }]);
  const { import_ids, ...found } = await tryArchive(client, RUN);
  expect(found).toEqual({ archived: 2, importable: 1, by_cause: { user_not_found: 1 } });
  const plan = await client.planRun(RUN, import_ids);
  expect(plan.counts).toMatchObject({ total: 1, applied: 1, failed: 0 });
  expect([isAhead(plan), isAhead(null)]).toEqual([true, false]);
  await client.withdrawPlan(RUN);
  expect(isAhead(await client.getPlan(RUN))).toBe(false);
});

it('a record counts once for each code', () => {
  const causes = new Map<string, number>();
  const error = { error_code: 'user_not_found', message: '' } as const;
  countCauses(causes, [error, error]);
  expect([...causes]).toEqual([['user_not_found', 1]]);
});
