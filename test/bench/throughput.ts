/**
 * The local stack under load over HTTP: what it carries, then POSTs that arrive on schedule whether or not earlier ones are
 * answered, at 70 % of that and at twice as much. On a machine that does everything itself the figures say how the service
 * behaves beyond its capacity, not how fast AWS is.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN, COMPANY, COMPANY_ID, courses, importOf, learners, RECORDS_PER_IMPORT } from './workload.ts';

const LEARNERS = 2000;
const COURSES = 100;
const BLOCKS = LEARNERS / RECORDS_PER_IMPORT;
const PASSWORD = 'bench password';
const POLL_MS = 1000;
const BURST_IMPORTS = 12;

export interface LoadPhase {
  readonly offered_imports_per_second: number;
  readonly sent: number;
  readonly accepted: number;
  /** Answers by status; anything but 200 and 202 must carry Retry-After. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly without_retry_after: number;
  /** Accepted imports that did not end with every record applied. */
  readonly lost: number;
  readonly post_ms: Percentiles;
  readonly poll_ms: Percentiles;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export interface Throughput {
  /** From the first POST of a burst until every import of it has ended. */
  readonly records_per_second: number;
  readonly at_70_percent: LoadPhase;
  readonly at_200_percent: LoadPhase;
}

export async function measureThroughput(seconds: number): Promise<Throughput> {
  const stack = await startStack();
  try {
    const caller = await login(stack.url);
    let next = 0;
    const nextImport = () => (next += 1) - 1;
    await phase(caller, nextImport, 2, 1);
    const started = performance.now();
    await phase(caller, nextImport, BURST_IMPORTS / 0.1, 0.1);
    const perSecond = BURST_IMPORTS / ((performance.now() - started) / 1000);
    return {
      records_per_second: Math.round(perSecond * RECORDS_PER_IMPORT),
      at_70_percent: await phase(caller, nextImport, 0.7 * perSecond, seconds),
      at_200_percent: await phase(caller, nextImport, 2 * perSecond, seconds),
    };
  } finally {
    await stack.stop();
  }
}

interface Caller {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Open loop: each import is sent at its time, and polled once a second until it ends. */
async function phase(caller: Caller, nextImport: () => number, perSecond: number, seconds: number): Promise<LoadPhase> {
  const watch = new Watch();
  const sends: Promise<void>[] = [];
  const imports = Math.max(1, Math.round(perSecond * seconds));
  const started = performance.now();
  for (let i = 0; i < imports; i += 1) {
    await pause(Math.max(0, started + (i * 1000) / perSecond - performance.now()));
    sends.push(oneImport(caller, nextImport(), watch));
  }
  await Promise.all(sends);
  const { statuses, accepted, lost, without_retry_after } = watch;
  return {
    offered_imports_per_second: Math.round(perSecond * 100) / 100,
    sent: imports,
    accepted,
    statuses,
    without_retry_after,
    lost,
    post_ms: percentiles(watch.postMs),
    poll_ms: percentiles(watch.pollMs),
  };
}

class Watch {
  readonly statuses: Record<string, number> = {};
  readonly postMs: number[] = [];
  readonly pollMs: number[] = [];
  accepted = 0;
  lost = 0;
  without_retry_after = 0;

  saw(response: Response): void {
    this.statuses[response.status] = (this.statuses[response.status] ?? 0) + 1;
    if (response.status >= 300 && !response.headers.has('retry-after')) this.without_retry_after += 1;
  }
}

async function oneImport({ url, headers }: Caller, i: number, watch: Watch): Promise<void> {
  const from = { learners: (i % BLOCKS) * RECORDS_PER_IMPORT, courses: Math.floor(i / BLOCKS) % COURSES };
  const records = importOf({ learners: RECORDS_PER_IMPORT, courses: 1 }, from);
  const base = `${url}/v1/migrations/${COMPANY_ID}/progress/imports`;
  const posted = await timed(watch.postMs, () =>
    fetch(base, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ dry_run: false, records }),
    }),
  );
  watch.saw(posted);
  const body = (await posted.json()) as { import_id: string };
  if (posted.status !== 202) return;
  watch.accepted += 1;
  for (;;) {
    await pause(POLL_MS);
    const polled = await timed(watch.pollMs, () => fetch(`${base}/${body.import_id}`, { headers }));
    watch.saw(polled);
    const answer = (await polled.json()) as { status: string; counts: { succeeded: number } };
    if (polled.status !== 200 || answer.status === 'processing') continue;
    if (answer.counts.succeeded !== RECORDS_PER_IMPORT) watch.lost += 1;
    return;
  }
}

async function timed<T>(samples: number[], run: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const value = await run();
  samples.push(performance.now() - started);
  return value;
}

function percentiles(samples: readonly number[]): Percentiles {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50: at(0.5), p99: at(0.99) };
}

async function login(url: string): Promise<Caller> {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN.email, password: PASSWORD }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return { url, headers: { authorization: `Bearer ${access_token}` } };
}

/** `npm start` as a process of its own, so that the load generator does not take its turns. */
async function startStack(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'course-progress-migration-bench-'));
  const data = join(folder, 'data.json');
  writeFileSync(data, JSON.stringify(dataFile()));
  const stack = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../bin/local/main.ts'), '--port', '0', '--data', data],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const ended = new Promise<void>((resolve) => stack.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    stack.stdout.setEncoding('utf8').on('data', (text: string) => {
      const ready = /^ready (\S+)$/m.exec(text)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    stack.once('exit', () => reject(new Error('the local stack does not start')));
  });
  return {
    url,
    async stop() {
      stack.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function dataFile() {
  const { cursor_key: _, ...company } = COMPANY;
  const users = [{ ...ADMIN, password: PASSWORD }, ...learners(LEARNERS)];
  return {
    companies: [company],
    users: users.map(({ user_id, ...user }) => ({ id: user_id, ...user })),
    courses: courses(COURSES).map((course) => ({ company_id: COMPANY_ID, ...course })),
    progress: [],
  };
}
