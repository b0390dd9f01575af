/**
 * Sends a load to a deployed stack and reports what came of it: `npm run load -- URL --rate R --minutes M`. Exit code 1 if a record
 * was not applied, 2 if the arguments are invalid or the stack is production.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { messageOf } from '../importer/errors.ts';
import { memoryTokenStore, MigrationClient, readClaims } from '../client/index.ts';
import { type Deployment, deploymentAt } from '../verify/deployment.ts';
import { type Credentials, logIn } from '../verify/journey.ts';
import { operatorOf } from '../verify/operator.ts';
import type { Operator } from '../verify/deep.ts';
import { observe } from './cloudwatch.ts';
import { loadCompany, type Targets } from './people.ts';
import { type Call, type Observed, reportLines, throughputOf } from './report.ts';
import { noting, type Pace, sendLoad } from './run.ts';

const USAGE = `usage: npm run load -- URL --rate RECORDS_A_SECOND --minutes M [--stack STACK] [--connect HOST:PORT] [--production]
With --stack, the intake of the stack makes a company \`load\` with 1,000 people, and CloudWatch is asked for units, latency and
throttles, by the AWS CLI. Without it, set VERIFY_EMAIL and VERIFY_PASSWORD of an admin: all records then name that admin.
--production allows a load on a production stack: what it writes stays, and uses up the quotas of the hour.`;

/** CloudWatch has all of a minute some two minutes later. */
const METRICS_DELAY_MS = 180_000;
const RETRY = { patienceMs: 120_000, waitsOutThrottles: true };
const MAX_RATE = 20_000;
const MAX_MINUTES = 240;

export interface LoadOptions extends Pace {
  readonly production: boolean;
  readonly credentials?: Credentials;
  /** Makes a company of its own by the intake. */
  readonly operator?: Operator;
}

export interface Loaded {
  readonly lines: readonly string[];
  /** Records that were not applied. */
  readonly missing: number;
}

type Observe = (from: Date, to: Date) => Promise<Observed | undefined>;

/**
 * Logs in, refuses production, and sends. The issuer of a token names the stage of its stack.
 *
 * @throws Error if the stack is production, and the load is not allowed there
 */
export async function load(
  deployment: Deployment,
  { rate, records, production, credentials, operator }: LoadOptions,
  observed: Observe = async () => undefined,
): Promise<Loaded> {
  const made = operator && (await loadCompany(operator));
  const login = made?.admin ?? credentials;
  if (login === undefined) throw new Error('Set VERIFY_EMAIL and VERIFY_PASSWORD, or name the --stack.');
  const { stage } = await logIn(deployment, login);
  if (stage !== 'sandbox' && !production) throw new Error(`The stack is ${stage}: a load there needs --production.`);
  const calls: Call[] = [];
  const client = await clientFor(deployment, login, calls);
  const targets = made ?? (await targetsOf(client, login));
  const from = new Date();
  const imports = await sendLoad(client, { rate, records }, targets, randomUUID().slice(0, 8));
  const to = new Date();
  await made?.close();
  const report = { rate, imports, calls, observed: await observed(from, to) };
  return { lines: reportLines(report), missing: records - throughputOf(imports).applied };
}

/** A client of the company of an admin, whose requests are noted. */
async function clientFor({ baseUrl, transport }: Deployment, login: Credentials, calls: Call[]) {
  const tokens = memoryTokenStore();
  const clientOf = (company_id: string) =>
    new MigrationClient({ baseUrl, company_id, tokens, transport: noting(transport, calls), retry: RETRY });
  await clientOf('').session.login(login);
  return clientOf(readClaims((await tokens.read())?.access_token ?? '').company_id ?? '');
}

/** The admin alone, in the first courses of the catalog. */
async function targetsOf(client: MigrationClient, { email }: Credentials): Promise<Targets> {
  const { courses } = await client.listCourses({ limit: 100 });
  if (courses.length === 0) throw new Error('The catalog is empty.');
  return { emails: [email], courses: courses.map(({ platform_course_id }) => platform_course_id) };
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      rate: { type: 'string', default: '' },
      minutes: { type: 'string', default: '' },
      stack: { type: 'string' },
      connect: { type: 'string' },
      production: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const { stack, production } = values;
  const [url] = positionals;
  if (url === undefined || positionals.length > 1) throw new Error('Give one URL, the output BaseUrl of the stack.');
  const rate = numberOf('rate', values.rate, MAX_RATE);
  const records = Math.ceil(rate * 60 * numberOf('minutes', values.minutes, MAX_MINUTES));
  // The intake would write before a login can show the stage.
  if (stack?.endsWith('-production') && !production)
    throw new Error(`${stack} is production: a load there needs --production.`);
  const { VERIFY_EMAIL: email, VERIFY_PASSWORD: password } = process.env;
  const { lines, missing } = await load(
    deploymentAt(url, values.connect),
    {
      rate,
      records,
      production,
      ...(email !== undefined && password !== undefined && { credentials: { email, password } }),
      ...(stack !== undefined && { operator: await operatorOf(stack) }),
    },
    async (from, to) => {
      if (stack === undefined) return undefined;
      console.error('CloudWatch has the metrics in three minutes.');
      await pause(METRICS_DELAY_MS);
      return observe(stack, from, to);
    },
  );
  console.log(lines.join('\n'));
  return missing === 0 ? 0 : 1;
}

function numberOf(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0 || value > most)
    throw new Error(`--${name} must be a number above 0, ${most} at most.`);
  return value;
}

if (import.meta.main) {
  process.exitCode = await main().catch((error: unknown) => {
    console.error(`${messageOf(error)}\n${USAGE}`);
    return 2;
  });
}
