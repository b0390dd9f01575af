/** The command `import` over the whole service in memory. Costs a second. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../../bin/importer/client/index.ts';
import { listRuns } from '../../../../bin/importer/client/runs.ts';
import { command } from '../../../../bin/importer/command/commands/import.ts';
import { loadData } from '../../../../functions/platform/load-data.ts';
import { fileOf, freshFolder } from '../support/files.ts';
import { archivedIds, type ImportOptions, importFile } from '../support/import-file.ts';
import { contextOf, recordedOutput } from '../support/output.ts';
import { adminsData, createPlatform, type Platform, SECOND_ADMIN } from '../support/platform.ts';
import { HEADER, recordOf } from '../support/runs.ts';
import { createWorld } from '../../../kit/world.ts';
import { textRow, workbookOf } from '../support/workbook.ts';

const SAMPLE = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../lib/sandbox/sample.json'), 'utf8'),
) as { readonly users: readonly { readonly email: string }[] };
const LATE = 'kofi.asante@acme.test';

/** The sample company, without this learner. */
const dataWithout = (email?: string): Buffer =>
  Buffer.from(JSON.stringify({ ...SAMPLE, progress: [], users: SAMPLE.users.filter((user) => user.email !== email) }));

let platform: Platform;
let file: string;

beforeEach(async () => {
  platform = await createPlatform(dataWithout(LATE));
  file = fileOf([HEADER, `r-1,hana.suzuki@acme.test,102,40`, `r-2,${LATE},102,40`].join('\n'));
});

afterEach(() => void vi.restoreAllMocks());

/** `import FILE --yes`, in a process of its own. */
const imported = (options?: ImportOptions) => importFile(platform, file, options);

/** The command ends as soon as the service has begun to apply the plan. */
async function killed(): Promise<void> {
  vi.spyOn(platform.client, 'waitForRun').mockRejectedValueOnce(new Error('killed'));
  await expect(imported()).rejects.toThrow('killed');
}

const countOfRuns = async (): Promise<number> => (await listRuns(platform.client)).length;

describe('import', () => {
  it('a file is imported by the plan of its dry runs, with the counts and the imports of the service', async () => {
    const { code, imports, run_id, notes, ...shown } = await imported();
    expect({ code, ...shown }).toMatchObject({ code: 1, dry_run: false, rows: 2, applied: 1, rejected: 1 });
    const run = await platform.client.getRun(run_id);
    expect(run).toMatchObject({ status: 'partial_success', counts: { imports: 1, total: 2, succeeded: 1 } });
    expect(run.plan).toMatchObject({ status: 'applied', counts: { applied: 1, failed: 1 } });
    const [import_id = ''] = imports;
    expect(await platform.client.getImport(import_id)).toMatchObject({ dry_run: false, run_id });
    expect(notes).toContain('and goes on if this command ends');
  });

  it('a dry run makes no plan, and nothing is imported without a person or a yes', async () => {
    const looked = await imported({ dryRun: true });
    expect(looked).toMatchObject({ code: 1, dry_run: true, imports: [] });
    expect(looked).not.toHaveProperty('error');
    const refused = await imported({});
    expect(refused).toMatchObject({ code: 2, dry_run: true, rows: 2, exit_code: 2 });
    expect(refused).toHaveProperty('error', expect.stringMatching(/^Nothing imported: .* Use --yes/));
    const [run, ...others] = await listRuns(platform.client);
    expect([run?.status, run?.plan, others]).toEqual(['draft', null, []]);
  });

  it('a file of which the service would reject every row has no plan', async () => {
    file = fileOf([HEADER, `r-2,${LATE},102,40`].join('\n'));
    expect(await imported()).toMatchObject({ code: 1, dry_run: true, rejected: 1, imports: [] });
    expect((await listRuns(platform.client))[0]?.plan).toBeNull();
  });

  it('--archive keeps rows of people who are not on the platform, also where no other row is left', async () => {
    expect((await imported()) as object).not.toHaveProperty('archived');
    const some = await imported({ yes: true, archive: true });
    expect(some).toMatchObject({ code: 1, unchanged: 1, rejected: 1, archived: 1 });
    expect(await archivedIds(platform, some.run_id)).toEqual(['r-2']);
    file = fileOf([HEADER, `r-3,${LATE},102,40`].join('\n'));
    const all = await imported({ yes: true, archive: true });
    expect(all).toMatchObject({ code: 1, dry_run: false, rejected: 1, archived: 1 });
    expect(await archivedIds(platform, all.run_id)).toEqual(['r-3']);
  });

  it('a file whose run has ended is sent again: the platform knows by now who was unknown', async () => {
    const first = await imported();
    expect(first).toMatchObject({ code: 1, applied: 1, rejected: 1 });
    await loadData(dataWithout(), platform.world.services);
    const second = await imported();
    expect(second).toMatchObject({ code: 0, applied: 1, unchanged: 1, rejected: 0, dry_runs_sent: 1 });
    expect(second.run_id).not.toBe(first.run_id);
  });

  it('a file that was corrected is imported as another run: what was rejected is applied, and nothing is resumed', async () => {
    const first = await imported();
    expect(first).toMatchObject({ code: 1, applied: 1, rejected: 1 });
    const rows = readFileSync(file, 'utf8');
    writeFileSync(file, rows.replace(LATE, 'ben.castillo@acme.test'));
    const second = await imported();
    expect(second).toMatchObject({ code: 0, applied: 1, unchanged: 1, rejected: 0, dry_runs_resumed: 0 });
    expect(second.run_id).not.toBe(first.run_id);
    expect(await imported()).toMatchObject({ applied: 0, unchanged: 2, dry_runs_sent: 1 });
  });
});

describe('a command that was killed after the application began', () => {
  it('is resumed: it follows the same application, and sends nothing', async () => {
    await killed();
    const start = vi.spyOn(platform.client, 'startImport');
    const resumed = await imported();
    expect(start).not.toHaveBeenCalled();
    expect(resumed).toMatchObject({ code: 1, applied: 1, rejected: 1, dry_runs_sent: 0, dry_runs_resumed: 1 });
    expect(await countOfRuns()).toBe(1);
    start.mockRestore();
    expect(await imported()).toMatchObject({ unchanged: 1, dry_runs_sent: 1, dry_runs_resumed: 0 });
  });

  it('is not resumed under another name', async () => {
    await killed();
    await expect(imported({ yes: true, run: 'other' })).rejects.toThrow('run_of_other_name');
  });

  it('is not resumed if the run was taken back meanwhile; the next import sends the file again', async () => {
    await killed();
    const [run] = await listRuns(platform.client);
    const run_id = run?.run_id ?? '';
    await platform.client.waitForRun(run_id);
    await platform.client.revertRun(run_id, { dry_run: false });
    await platform.client.waitForRunRevert(run_id);
    await expect(imported()).rejects.toThrow(
      /was reverted.* To import the file again, run the same command once more\.$/,
    );
    expect(await imported()).toMatchObject({ applied: 1, dry_runs_sent: 1 });
  });

  it('is not resumed if the run was cancelled meanwhile; what was applied by then is unchanged', async () => {
    platform.processing.held = true;
    await killed();
    const [run] = await listRuns(platform.client);
    await platform.client.cancelRun(run?.run_id ?? '');
    platform.processing.held = false;
    await platform.client.waitForRun(run?.run_id ?? '');
    await expect(imported()).rejects.toThrow(/was cancelled.* run the same command once more\.$/);
    expect(await imported()).toMatchObject({ applied: 1, dry_runs_sent: 1 });
  });
});

describe('what changed between the plan and its application', () => {
  /** Does something after the plan was made, before it is applied. */
  const meanwhile = (step: (run_id: string) => Promise<unknown>): void => {
    const { applyPlan } = platform.client;
    vi.spyOn(platform.client, 'applyPlan').mockImplementationOnce(async (run_id, digest) => {
      await step(run_id);
      return applyPlan(run_id, digest);
    });
  };

  it('a record whose learner is another one by now is rejected as plan_changed', async () => {
    await loadData(dataWithout(), platform.world.services);
    const users = SAMPLE.users.map((user) =>
      user.email === LATE
        ? { ...user, email: 'kofi@acme.test' }
        : user.email === 'ben.castillo@acme.test'
          ? { ...user, email: LATE }
          : user,
    );
    const moved = Buffer.from(JSON.stringify({ ...SAMPLE, progress: [], users }));
    meanwhile(() => loadData(moved, platform.world.services));
    const { code, applied, rejected_by_reason } = { applied: 0, rejected_by_reason: {}, ...(await imported()) };
    expect([code, applied, rejected_by_reason]).toEqual([1, 1, { plan_changed: 1 }]);
  });

  it('another plan of the run is said, and nothing is imported; the next import checks the file again', async () => {
    meanwhile(async (run_id) => {
      const { import: dry } = await platform.client.startImport({
        dry_run: true,
        run_id,
        records: [recordOf('other')],
      });
      await platform.client.planRun(run_id, [dry.import_id]);
    });
    await expect(imported()).rejects.toThrow(/was replaced by another one meanwhile\. Nothing is done\./);
    expect((await listRuns(platform.client))[0]?.counts.imports).toBe(0);
    const next = await imported();
    expect(next).toMatchObject({ code: 1, applied: 1, dry_runs_sent: 1 });
    expect(next.notes).toContain('the file is checked again');
  });

  it('a plan that is being applied already is not replaced', async () => {
    await killed();
    const [run] = await listRuns(platform.client);
    file = fileOf([HEADER, 'r-9,ben.castillo@acme.test,102,40'].join('\n'));
    platform.processing.held = true;
    const closed = new ServiceError(409, { errors: [{ error_code: 'plan_closed', message: 'It runs.' }] });
    vi.spyOn(platform.client, 'planRun').mockRejectedValueOnce(closed);
    await expect(imported({ yes: true, run: run?.run_id })).rejects.toThrow('is being imported');
  });

  it('dry runs that are gone are made again by the next command', async () => {
    vi.spyOn(platform.client, 'planRun').mockImplementationOnce((run_id) =>
      platform.client.planRun(run_id, ['unknown']),
    );
    await expect(imported()).rejects.toThrow('The dry runs of run');
    expect(await imported()).toMatchObject({ applied: 1, dry_runs_sent: 1 });
  });
});

describe('where a second person has to approve', () => {
  beforeEach(async () => {
    const world = createWorld();
    const services = { ...world.services, approval: 'second' } as const;
    platform = await createPlatform(adminsData(), { ...world, services });
  });

  it('the command ends with 4 and writes nothing; once another administrator has approved the plan, it is applied', async () => {
    const asked = await imported();
    const { run_id, plan } = asked;
    expect(asked).toMatchObject({
      code: 4,
      approval: {
        page: `http://127.0.0.1:3000/#/run?id=${run_id}`,
        apply: expect.stringContaining(`runs ${run_id} --apply`),
      },
    });
    expect(await platform.client.getRun(run_id)).toMatchObject({ status: 'draft', plan: { status: 'waiting' } });
    expect(await imported()).toMatchObject({ code: 4, run_id, plan: { plan_digest: plan.plan_digest } });
    const seen = { plan_digest: plan.plan_digest };
    await expect(platform.client.approvePlan(run_id, seen)).rejects.toThrow('approval_by_another');
    const second = await platform.signedIn(SECOND_ADMIN);
    await second.approvePlan(run_id, seen);
    expect(await imported()).toMatchObject({ code: 0, run_id, applied: 2, dry_runs_sent: 0 });
    expect(await countOfRuns()).toBe(1);
  });

  it('the plan that is approved is kept while the file is looked at once more', async () => {
    const { plan } = await imported();
    await imported({ dryRun: true });
    expect(await imported()).toMatchObject({ code: 4, plan: { plan_digest: plan.plan_digest } });
  });
});

const withoutSession = contextOf(recordedOutput(), freshFolder());

/** The error of the command, which has no session: a request would end in another. */
async function refusalOf(...args: readonly string[]): Promise<unknown> {
  const run = command(async (_options, action) => void (await action(withoutSession)));
  return run.parseAsync(args, { from: 'user' }).catch((error: unknown) => error);
}

const ITEMS = [{ Email: 'hana.suzuki@acme.test', Course: 'A', Status: 'Completed', On: '2024-01-02' }];
const LINES = ITEMS.map((item) => JSON.stringify(item)).join('\n');
const TABLE = [...ITEMS.slice(0, 1).map(Object.keys), ...ITEMS.map((item) => Object.values(item))];
const CSV = TABLE.join('\n');
const SHEET = TABLE.map((texts, at) => textRow(at + 1, texts)).join('');
const OPEN = ['learner', 'course', 'dates', 'columns'] as const;
const OPEN_SETS = Array.from({ length: 15 }, (_, at) => OPEN.filter((_each, place) => ((at + 1) >> place) & 1));

describe('nothing is sent of', () => {
  const ofJson = fileOf(JSON.stringify(ITEMS), 'history.json');
  const ofLines = fileOf(LINES, 'history.ndjson');
  const ofCsv = fileOf(CSV);
  const ofExcel = fileOf(workbookOf({ sheets: { History: SHEET } }), 'history.xlsx');
  const confirmed = [{ values: { Status: 'Completed' }, outcome: 'completed', date: 'On' }];
  const kinds = { columns: { Status: { read: 'text' } }, dates: { On: 'iso' }, confirmed };
  const record = { external_record_id: 'Email', 'user.email': 'Email', 'content.external_course_id': 'Course' };

  it.each([
    ['CSV', [ofCsv]],
    ['a workbook', [ofExcel]],
    ['JSON', [ofJson]],
    ['NDJSON', [ofLines]],
    ['several files', [ofCsv, ofJson, ofExcel]],
    ['standard input', ['-']],
  ])('%s, while its mapping has anything undecided', async (_name, files) => {
    vi.spyOn(process, 'stdin', 'get').mockImplementation(() => Readable.from(CSV) as typeof process.stdin);
    for (const undecided of OPEN_SETS) {
      const mapping = fileOf(JSON.stringify({ record, undecided, kinds }), 'm.json');
      for (const option of ['--yes', '--dry-run'])
        expect(await refusalOf(...files, '--mapping', mapping, option)).toMatchObject({
          said: { code: 'mapping_undecided', params: { open: undecided } },
        });
    }
    vi.restoreAllMocks();
  });

  it.each([
    ['JSON', ofJson],
    ['NDJSON', ofLines],
    ['CSV', ofCsv],
  ])('a foreign file of %s without a mapping, with the hint', async (_name, path) => {
    const hint = `There is no mapping for ${path}. Make one with "init-mapping ${path}"`;
    expect(await refusalOf(path, '--yes')).toMatchObject({ message: expect.stringContaining(hint) });
  });
});
