/** Runs as migrations: drafts, plans and their application. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Send } from '../../kit/http-client.ts';

const MOST_ROUNDS = 50;

export interface Planning {
  readonly send: Send;
  readonly token: string;
  /** Path of the company. */
  readonly base: string;
  /** A user who is told of the run. */
  readonly admin: number;
  readonly record: (external_record_id: string, completion_pct: number) => object;
}

/** A draft that is made, changed, read, found, and deleted. */
export async function draft({ send, token, base, admin, record }: Planning): Promise<void> {
  const path = `${base}/progress/runs/draft`;
  const decided = { title: 'Draft', notify: [admin], document: {} };
  for (const body of [decided, { document: null }, { document: {} }]) await send('PUT', path, { token, body });
  await send('POST', `${base}/progress/imports`, {
    token,
    body: { dry_run: true, run_id: 'draft', records: [record('r-1', 10)] },
  });
  const { body: run } = await send('GET', `${base}/progress/imports?run_id=draft`, { token });
  const import_ids = run.imports.map(({ import_id }: { import_id: string }) => import_id);
  const plan = `${path}/plan`;
  const { body } = await send('POST', plan, { token, body: { import_ids } });
  await send('GET', plan, { token });
  await send('GET', `${plan}/records`, { token });
  await send('POST', `${plan}/approve`, { token, body: { plan_digest: body.plan_digest } });
  await send('DELETE', plan, { token });
  await send('POST', plan, { token, body: { import_ids } });
  await send('GET', `${path}?include=document`, { token });
  await send('GET', `${base}/progress/runs?status=draft`, { token });
  await send('DELETE', path, { token });
  await applied({ send, token, base, record });
}

/** The plan of a run is applied to its end, and attested; another one is cancelled. */
async function applied({ send, token, base, record }: Omit<Planning, 'admin'>): Promise<void> {
  for (const run_id of ['applied', 'cancelled']) {
    const path = `${base}/progress/runs/${run_id}`;
    const body = { dry_run: true, replace: true, run_id, records: [record('r-2', 20)] };
    const { body: dryRun } = await send('POST', `${base}/progress/imports`, { token, body });
    const made = await send('POST', `${path}/plan`, { token, body: { import_ids: [dryRun.import_id] } });
    const { plan_digest } = made.body;
    await send('POST', `${path}/plan/apply`, { token, body: { plan_digest } });
    if (run_id === 'cancelled') await send('POST', `${path}/cancel`, { token });
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const { body: run } = await send('GET', path, { token });
      if (run.plan.status !== 'applying') break;
      await pause(500);
    }
    if (run_id === 'applied') await send('POST', `${path}/evidence`, { token, body: { reason: 'Applied' } });
  }
}
