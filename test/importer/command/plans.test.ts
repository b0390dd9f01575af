/** Plans that are shown, approved, applied and cancelled at the terminal, over the whole service in memory. Costs a second. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { MigrationClient, Plan } from '../../../bin/importer/client/index.ts';
import { cancelRun, showRun } from '../../../bin/importer/command/commands/runs.ts';
import { applyRun, approveRun } from '../../../bin/importer/command/plans.ts';
import { displayOn, outageNotice } from '../../../bin/importer/command/progress.ts';
import type { Approval } from '../../../functions/plans/approval.ts';
import { createWorld } from '../../kit/world.ts';
import { recordedOutput } from './support/output.ts';
import { adminsData, createPlatform, type Platform, SECOND_ADMIN } from './support/platform.ts';
import { recordOf } from './support/runs.ts';

const RUN = 'spring';
let platform: Platform;
let second: MigrationClient;

async function startWith(approval: Approval): Promise<void> {
  const world = createWorld();
  platform = await createPlatform(adminsData(), { ...world, services: { ...world.services, approval } });
  second = await platform.signedIn(SECOND_ADMIN);
}

beforeEach(() => startWith('none'));

/** A plan of one dry run for each of these records. */
async function planned(...ids: readonly string[]): Promise<Plan> {
  const { client } = platform;
  const dryRuns: string[] = [];
  for (const id of ids)
    dryRuns.push((await client.startImport({ dry_run: true, run_id: RUN, records: [recordOf(id)] })).import.import_id);
  return client.planRun(RUN, dryRuns);
}

const notes: string[] = [];
const view = () => {
  const display = displayOn({ write: (text) => notes.push(text) });
  return { display, outage: outageNotice(() => {}), url: 'http://x' };
};

const applying = (client: MigrationClient, plan_digest: string, output = recordedOutput()) =>
  applyRun(client, { run_id: RUN, plan_digest, yes: true }, { ...view(), output });
const approving = (client: MigrationClient, plan_digest: string, output = recordedOutput()) =>
  approveRun(client, { run_id: RUN, plan_digest, yes: true, comment: 'As agreed' }, output);

async function shownRun(): Promise<string> {
  const output = recordedOutput();
  expect(await showRun(platform.client, RUN, output)).toBe(0);
  return output.results.join('\n');
}

describe('runs RUN', () => {
  it('shows the plan, its approval and its application, each with who and when', async () => {
    const { plan_digest } = await planned('r-1', 'r-2');
    const waiting = await shownRun();
    expect(waiting).toContain('Plan of run spring: 2 records in 2 imports\n          2  to be applied');
    expect(waiting).toContain(`runs ${RUN} --apply ${plan_digest}`);
    expect(waiting).toContain('It has no import yet.');
    await approving(second, plan_digest);
    expect(await shownRun()).toMatch(/Approved .* UTC by user 99: As agreed\nIt is approved/);
    await applying(platform.client, plan_digest);
    const applied = await shownRun();
    expect(applied).toMatch(/Applied .* UTC by user 1\nIt is applied\.\nimport +started/);
    expect(applied.match(/ success +1 +1 +0/g)).toHaveLength(2);
  });

  it('shows how much is processed while the service applies the plan', async () => {
    const { plan_digest } = await planned('r-1', 'r-2');
    platform.processing.held = true;
    await platform.client.applyPlan(RUN, plan_digest);
    expect(await shownRun()).toContain('The service is applying it.\n0 % of its records are processed.');
  });
});

describe('--apply', () => {
  it('has the service import the plan, and follows it', async () => {
    const { plan_digest } = await planned('r-1', 'r-2');
    const output = recordedOutput(true);
    expect(await applying(platform.client, plan_digest, output)).toBe(0);
    expect(output.values).toMatchObject([{ run_id: RUN, status: 'success', counts: { succeeded: 2 } }]);
    expect(notes.join('')).toContain('goes on if this command ends');
    expect(await applying(platform.client, plan_digest)).toBe(0);
  });

  it('asks, and without a terminal or a yes applies nothing', async () => {
    const { plan_digest } = await planned('r-1');
    const asked = { run_id: RUN, plan_digest };
    expect(await applyRun(platform.client, asked, { ...view(), output: recordedOutput() })).toBe(2);
    expect((await platform.client.getPlan(RUN)).status).toBe('waiting');
  });

  it('refuses another plan than the one that was seen, and says so', async () => {
    const { plan_digest } = await planned('r-1');
    await planned('r-2');
    await expect(applying(platform.client, plan_digest)).rejects.toThrow('has another digest. Nothing is done.');
    await expect(approving(second, plan_digest)).rejects.toThrow('has another digest. Nothing is done.');
  });

  it('ends with 4 where a second person has to approve first, whom it names', async () => {
    await startWith('second');
    const { plan_digest } = await planned('r-1');
    const output = recordedOutput();
    expect(await applying(platform.client, plan_digest, output)).toBe(4);
    expect(output.results.join('\n')).toMatch(
      /neither made it \(it was made by user 1\) .*\n {2}on the page http:\/\/x\/#\/run\?id=spring\n {2}or with .* runs spring --approve /,
    );
    await expect(approving(platform.client, plan_digest)).rejects.toThrow(
      'Another administrator of the company has to',
    );
    expect(await approving(second, plan_digest)).toBe(0);
    expect(await applying(platform.client, plan_digest)).toBe(0);
  });
});

it('--cancel stops the application: what is open is cancelled, and nothing is accepted later', async () => {
  const { plan_digest } = await planned('r-1', 'r-2');
  platform.processing.held = true;
  await platform.client.applyPlan(RUN, plan_digest);
  await platform.client.cancelRun(RUN);
  platform.processing.held = false;
  expect(await cancelRun(platform.client, RUN, recordedOutput(true))).toBe(0);
  const { plan, counts } = await platform.client.getRun(RUN);
  expect([plan?.status, counts.succeeded]).toEqual(['cancelled', 0]);
  expect(await shownRun()).toContain('Its application was cancelled. What was applied by then stays.');
});

it('a run without an import has nothing to cancel', async () => {
  await planned('r-1');
  const output = recordedOutput();
  await cancelRun(platform.client, RUN, output);
  expect(output.notes).toEqual([`Run ${RUN} has no import yet, so nothing was cancelled.`]);
});
