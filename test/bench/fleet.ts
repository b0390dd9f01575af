/**
 * The cost of one synthesis of a fleet: `npx node test/bench/fleet.ts 200`, for so many companies with both stages and an account stack.
 * Prints seconds, processor seconds, memory and files; of the machine, so that nothing asserts them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const PROJECT = resolve(import.meta.dirname, '../..');
const HOME = { account: '111122223333', region: 'eu-west-1' };
const DATA = { companies: [], users: [], courses: [] };
/** Printed by the measured process as it ends: microseconds of computing, and kilobytes at most. */
const MEASURE = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  console.error('measured ' + JSON.stringify({ cpu: userCPUTime + systemCPUTime, rss: maxRSS }));
});`;

/** What production has to name. */
const DECIDED = { 'web-acl': 'none', 'retention-days': 'none' };

async function synthesize(companies: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  try {
    const settings = join(folder, 'companies');
    mkdirSync(settings);
    writeFileSync(join(settings, 'account.json'), JSON.stringify(HOME));
    writeFileSync(join(folder, 'data.json'), JSON.stringify(DATA));
    for (let at = 0; at < companies; at += 1) {
      for (const stage of ['sandbox', 'production']) {
        const company = `company-${at}`;
        const more = stage === 'sandbox' ? { data: join(folder, 'data.json') } : DECIDED;
        writeFileSync(join(settings, `${company}.${stage}.json`), JSON.stringify({ company, stage, ...HOME, ...more }));
      }
    }
    return await measured(settings, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(settings: string, folder: string): Promise<string> {
  const { context } = JSON.parse(readFileSync(join(PROJECT, 'cdk.json'), 'utf8')) as { context: object };
  const outputs = join(folder, 'out');
  const hook = join(folder, 'measure.cjs');
  writeFileSync(hook, MEASURE);
  const CDK_CONTEXT_JSON = JSON.stringify({ ...context, companies: settings, version: '1.0.0' });
  const env = { ...process.env, CDK_CONTEXT_JSON, CDK_OUTDIR: outputs };
  const started = performance.now();
  const child = spawn(process.execPath, ['--require', hook, join(PROJECT, 'bin/app.ts')], { cwd: PROJECT, env });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  const seconds = (performance.now() - started) / 1000;
  const [, figures] = /^measured (.+)$/m.exec(said) ?? [];
  if (code !== 0 || figures === undefined) throw new Error(said);
  const { cpu, rss } = JSON.parse(figures) as { cpu: number; rss: number };
  const files = readdirSync(outputs);
  const count = (pattern: RegExp) => files.filter((name) => pattern.test(name)).length;
  return `${seconds.toFixed(1)} s, ${(cpu / 1e6).toFixed(1)} s of computing, ${Math.round(rss / 1024)} MB, ${count(/\.template\.json$/)} stacks, ${count(/^asset\.[0-9a-f]{64}$/)} bundles`;
}

for (const companies of process.argv.slice(2).map(Number))
  console.log(`${companies} companies: ${await synthesize(companies)}`);
