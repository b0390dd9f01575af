/**
 * The application of a plan on `npm start`, which is killed and started again on the same data: at its beginning, in its middle, and
 * when everything is accepted. Costs two minutes, only at length: the turn of a driver outlasts it by up to 25 s.
 */
import { describe, expect, it } from 'vitest';
import { AT_LENGTH } from '../kit/at-length.ts';
import { type Answer, sender, tokensOf } from '../kit/http-client.ts';
import { serving, useCommand } from './support/command.ts';

const DRY_RUNS = 120;
/** How many imports the run has when the stack is killed. */
const KILLED_AT = [1, DRY_RUNS / 2, DRY_RUNS];
const RUN = 'killed';
const BASE = '/v1/migrations/acme/progress';

const { inFolder, start } = useCommand();

const recordOf = (at: number) => ({
  external_record_id: `r-${at}`,
  user: { email: 'ben.castillo@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 1 + (at % 100) },
});

/** The stack on the folder of the test, and an administrator who calls it. */
async function started() {
  const run = start(['--port', '0', '--dir', inFolder()]);
  const send = sender(await serving(run));
  const { access: token } = await tokensOf(send, 'admin@acme.test', 'changeme');
  return {
    get: (path: string): Promise<Answer> => send('GET', BASE + path, { token }),
    post: (path: string, body: object): Promise<Answer> => send('POST', BASE + path, { token, body }),
    async kill(): Promise<void> {
      run.process.kill('SIGKILL');
      await run.ended;
    },
  };
}

type Stack = Awaited<ReturnType<typeof started>>;

async function planned({ post }: Stack): Promise<{ dryRuns: string[]; plan_digest: string }> {
  const dryRuns: string[] = [];
  for (let at = 0; at < DRY_RUNS; at += 1) {
    const { body } = await post('/imports', { dry_run: true, run_id: RUN, records: [recordOf(at)] });
    dryRuns.push(body.import_id);
  }
  const { body } = await post(`/runs/${RUN}/plan`, { import_ids: dryRuns });
  return { dryRuns, plan_digest: body.plan_digest };
}

const run = async ({ get }: Stack) => (await get(`/runs/${RUN}`)).body;

describe.runIf(AT_LENGTH)('an application whose stack is killed', () => {
  it('comes to its end: each dry run is one import, and each record is stored once', { timeout: 600_000 }, async () => {
    let stack = await started();
    const { dryRuns, plan_digest } = await planned(stack);
    expect((await stack.post(`/runs/${RUN}/plan/apply`, { plan_digest })).status).toBe(202);
    const found: string[] = [];
    for (const imports of KILLED_AT) {
      const accepted = async () => (await run(stack)).counts.imports;
      await expect.poll(accepted, { interval: 20, timeout: 120_000 }).toBeGreaterThanOrEqual(imports);
      found.push((await run(stack)).plan.status);
      await stack.kill();
      stack = await started();
    }
    // When everything is accepted, the end is near.
    expect(found.slice(0, -1)).toEqual(['applying', 'applying']);
    const status = async () => (await run(stack)).plan.status;
    await expect.poll(status, { interval: 500, timeout: 180_000 }).toBe('applied');
    const counts = { imports: DRY_RUNS, total: DRY_RUNS, succeeded: DRY_RUNS, failed: 0 };
    expect(await run(stack)).toMatchObject({ status: 'success', counts });
    expect(await plannedBy(stack)).toEqual(dryRuns);
    for (let at = 0; at < DRY_RUNS; at += 1) {
      const { body } = await stack.get(`/records?external_record_id=r-${at}`);
      expect([at, body.contributions.length]).toEqual([at, 1]);
    }
  });
});

/** The dry runs of the real imports, in the order of acceptance. */
async function plannedBy({ get }: Stack): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const { body } = await get(`/imports?run_id=${RUN}&limit=100${cursor}`);
    for (const { import_id, dry_run } of body.imports) if (dry_run === false) ids.unshift(import_id);
    if (body.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  const imports: string[] = [];
  for (const id of ids) imports.push((await get(`/imports/${id}`)).body.planned_by);
  return imports;
}
