/** Records of the archive that are tried again, over the whole service in memory. Costs seconds. */
import { beforeEach, expect, it, vi } from 'vitest';
import { displayOn, outageNotice } from '../../../bin/importer/command/progress.ts';
import { retryArchive } from '../../../bin/importer/command/retry.ts';
import { intake } from '../../../functions/handlers/intake.ts';
import type { Approval } from '../../../functions/plans/approval.ts';
import { CONTEXT } from '../../kit/api-event.ts';
import { createWorld } from '../../kit/world.ts';
import { recordedOutput } from './support/output.ts';
import { adminsData, createPlatform, type Platform, SECOND_ADMIN } from './support/platform.ts';
import { ofCourse, ofLeaver, recordOf } from './support/runs.ts';

const answer = vi.hoisted(() => ({ yes: true }));
/** A path, because the runner does not find a package where the name of a folder has a blank. */
const PROMPTS = vi.hoisted(() => `${import.meta.dirname}/../../../node_modules/@clack/prompts/dist/index.mjs`);
vi.mock(PROMPTS, async (original) => ({ ...(await original<object>()), confirm: async () => answer.yes }));

const RUN = 'spring';
let platform: Platform;

async function startWith(approval: Approval): Promise<void> {
  const world = createWorld();
  platform = await createPlatform(adminsData(), { ...world, services: { ...world.services, approval } });
}

beforeEach(() => startWith('none'));

async function archive(...records: readonly object[]): Promise<void> {
  // The list is in the order of time.
  platform.world.clock.now += 1000;
  await platform.client.startImport({ dry_run: false, archive: true, run_id: RUN, records });
}

const courseComes = () =>
  platform.client.registerCourseMappings([{ external_course_id: 'old-1', platform_course_id: 102 }]);

async function retried(options: { readonly yes?: true; readonly dryRun?: true }, interactive = false) {
  const output = { ...recordedOutput(true), interactive };
  const display = displayOn({ write: () => true });
  const view = { display, outage: outageNotice(() => {}), url: 'http://x', output };
  return { code: await retryArchive({ client: platform.client, run_id: RUN, ...options, ...view }), ...output };
}

async function keptIds(): Promise<(string | null)[]> {
  const ids: (string | null)[] = [];
  for await (const { external_record_id } of platform.client.archive({ run_id: RUN })) ids.push(external_record_id);
  return ids;
}

it('imports what can be imported now, by a plan of that alone, and says what cannot, and why', async () => {
  await archive(ofCourse('retired'), ofLeaver('gone'), ofLeaver('gone-too'));
  await courseComes();
  const { code, values, notes } = await retried({ yes: true });
  const found = { archived: 3, importable: 1, by_cause: { user_not_found: 2 } };
  expect([code, values]).toMatchObject([1, [{ run_id: RUN, dry_run: false, ...found, applied: 1, rejected: 0 }]]);
  expect(notes).toContain('          1  can be imported now');
  expect(notes).toContain('          2    user_not_found');
  const { plan } = await platform.client.getRun(RUN);
  expect(plan).toMatchObject({ status: 'applied', counts: { imports: 1, total: 1, applied: 1, failed: 0 } });
  const [{ imports }] = values as [{ imports: string[] }];
  const { contributions } = await platform.client.getRecord('retired');
  expect(contributions.map(({ import_id }) => import_id)).toEqual(imports);
  expect(await keptIds()).toEqual(['gone', 'gone-too']);
  expect(await retried({ yes: true })).toMatchObject({ code: 1, values: [{ dry_run: true, importable: 0 }] });
});

const OF_BOTH = { user: { email: 'zoe@gone.test' }, content: { type: 'course', external_course_id: 'old-1' } };
const zoeComes = { kind: 'user', company_id: 'acme', version: 1, id: 950, email: 'zoe@gone.test', name: 'Zoe' };

it('1,200 records come alive as person and course come, with their dates; a revert puts them back', async () => {
  const progress = { completion_pct: 100, completed_at: '2019-05-06T07:08:09.000Z' };
  const many = (kind: string, of: object) =>
    archive(...Array.from({ length: 400 }, (_, at) => ({ ...recordOf(`${kind}-${at}`), progress, ...of })));
  await many('person', { user: OF_BOTH.user });
  await many('course', { content: OF_BOTH.content });
  await many('both', OF_BOTH);
  expect(await retried({ yes: true })).toMatchObject({ code: 1, values: [{ archived: 1_200, importable: 0 }] });
  const fact = { ...zoeComes, role: 'customer', avatar: '', license: 'active' };
  await intake({ facts: [fact] }, CONTEXT, platform.world.services);
  const causes = { external_course_id_not_mapped: 800 };
  expect(await retried({ yes: true })).toMatchObject({
    code: 1,
    values: [{ archived: 1_200, importable: 400, applied: 400, by_cause: causes }],
  });
  await courseComes();
  const { code, values } = await retried({ yes: true });
  expect([code, values]).toMatchObject([0, [{ archived: 800, importable: 800, applied: 800 }]]);
  for (const id of ['person-7', 'course-7', 'both-399'])
    expect((await platform.client.getRecord(id)).effective).toMatchObject(progress);
  expect(await retried({ yes: true })).toMatchObject({ code: 0, values: [{ archived: 0, importable: 0 }] });
  const [{ imports }] = values as [{ imports: string[] }];
  expect(imports).toHaveLength(2);
  for (const import_id of imports) {
    await platform.client.revertImport(import_id, { dry_run: false });
    while ((await platform.client.getRevert(import_id)).status === 'processing');
  }
  expect(await keptIds()).toHaveLength(800);
  expect(await retried({ yes: true })).toMatchObject({ code: 0, values: [{ archived: 800, applied: 800 }] });
});

it('ends with 0 where all can be imported, and where the archive is empty; what was archived twice is sent once', async () => {
  await archive(ofCourse('retired'));
  await archive({ ...ofCourse('retired'), progress: { completion_pct: 60 } });
  await courseComes();
  expect(await retried({ yes: true })).toMatchObject({
    code: 0,
    values: [{ archived: 1, importable: 1, applied: 1 }],
  });
  expect((await platform.client.getRecord('retired')).effective.completion_pct).toBe(60);
  expect(await retried({ yes: true })).toMatchObject({ code: 0, values: [{ archived: 0, importable: 0 }] });
});

it('without a yes, and as a dry run, it shows the same, and makes no plan', async () => {
  await archive(ofCourse('retired'), ofLeaver('gone'));
  await courseComes();
  const found = [{ dry_run: true, archived: 2, importable: 1, by_cause: { user_not_found: 1 } }];
  expect(await retried({ dryRun: true })).toMatchObject({ code: 1, values: found });
  const error = expect.stringMatching(/^Nothing imported: .* Use --yes/) as unknown;
  expect(await retried({})).toMatchObject({ code: 2, values: [{ ...found[0], error, exit_code: 2 }] });
  expect((await platform.client.getRun(RUN)).plan).toBeNull();
});

it('a person who does not agree leaves nothing behind: the plan is withdrawn', async () => {
  await archive(ofCourse('retired'));
  await courseComes();
  answer.yes = false;
  expect(await retried({}, true)).toMatchObject({ code: 0, values: [] });
  expect((await platform.client.getRun(RUN)).plan?.status).toBe('withdrawn');
  answer.yes = true;
  expect(await retried({}, true)).toMatchObject({ code: 0, values: [{ applied: 1 }] });
});

it('ends with 4 where a second person has to approve, and does not replace the plan that waits', async () => {
  await startWith('second');
  const { client } = platform;
  const second = await platform.signedIn(SECOND_ADMIN);
  const sent = { dry_run: true, archive: true, run_id: RUN, records: [ofCourse('retired')] };
  const { import: dryRun } = await client.startImport(sent);
  const { plan_digest } = await client.planRun(RUN, [dryRun.import_id]);
  await second.approvePlan(RUN, { plan_digest });
  await client.applyPlan(RUN, plan_digest);
  await client.waitForRun(RUN);
  expect(await keptIds()).toEqual(['retired']);
  await courseComes();
  expect(await retried({ yes: true })).toMatchObject({ code: 4, values: [{ plan: { status: 'waiting' } }] });
  const plan = await client.getPlan(RUN);
  await expect(retried({ yes: true })).rejects.toThrow(`runs ${RUN} --apply ${plan.plan_digest}`);
  expect(await client.getPlan(RUN)).toEqual(plan);
});
