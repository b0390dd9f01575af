/** Checks a deployed stack from outside: `npm run verify -- URL`. Exit code 1 if anything is wrong, 2 if the arguments are invalid. */
import { parseArgs } from 'node:util';
import { messageOf } from '../../importer/engine/ground/errors.ts';
import { type Check, check, outcomeOf, publicChecks } from './checks.ts';
import { type Deployment, deploymentAt } from './deployment.ts';
import { type Credentials, logIn } from './journey.ts';
import { deepChecks, type Operator } from './deep.ts';
import { operatorOf, startedHere, webAclCheck } from './operator.ts';

const USAGE = `usage: npm run verify -- URL [--version VERSION] [--web-acl STAGE_ARN] [--deep STACK]
       npm run verify -- --deep local
Set VERIFY_EMAIL and VERIFY_PASSWORD to log in as an admin of a company: a sandbox then goes through an import, which writes
progress of that admin; production is only read. --web-acl asks the AWS CLI for the web ACL of the API, whose stage is the output ApiStageArn.
--deep makes a call of every kind through every role of the stack, for a company of its own that it takes back: some five minutes.
local is the service as npm start runs it, started for this.`;

/** The facts that no request can show. docs/deploy.md says how to look. */
const NOT_SEEN_FROM_OUTSIDE = [
  'Metrics of the namespace CourseProgressMigration arrive within two minutes.',
  'Each alarm’s topic has a confirmed subscriber.',
  'A message of an import that does not exist reaches the dead-letter queue.',
  'The table has point-in-time recovery, expiry and (in production) deletion protection.',
  'No role is denied an action: --deep STACK.',
  'A change of the signing key, while a client polls, ends no session.',
  'cdk destroy of a sandbox leaves nothing behind.',
];

interface VerifyOptions {
  readonly credentials?: Credentials | undefined;
  readonly version?: string | undefined;
  readonly logins?: boolean;
  readonly patienceMs?: number;
  /** ARN of the API's stage, if a web ACL should protect it. */
  readonly webAcl?: string | undefined;
  readonly operator?: Operator | undefined;
}

export async function verify(deployment: Deployment, options: VerifyOptions) {
  const { credentials, version, logins = true, patienceMs, webAcl, operator } = options;
  const lines: string[] = [];
  let failed = 0;
  const run = async (next: Check): Promise<void> => {
    const outcome = await outcomeOf(next);
    lines.push(outcome.line);
    if (outcome.failed) failed += 1;
  };
  for (const each of publicChecks(deployment, { version, logins })) await run(each);
  if (webAcl !== undefined) await run(webAclCheck(webAcl));
  if (operator !== undefined) for (const each of deepChecks(deployment, operator)) await run(each);
  if (credentials === undefined)
    lines.push('Not checked without VERIFY_EMAIL and VERIFY_PASSWORD: what an admin sees.');
  else {
    let checks: readonly Check[] = [];
    const logsIn = check('An admin logs in.', async () => {
      const admin = await logIn(deployment, credentials, patienceMs);
      ({ checks } = admin);
      return admin.stage === 'sandbox' ? 'a sandbox: the seven steps follow' : `${admin.stage}: only read`;
    });
    await run(logsIn);
    for (const each of checks) await run(each);
  }
  return { failed, lines };
}

const OPTIONS = {
  version: { type: 'string' },
  'web-acl': { type: 'string' },
  deep: { type: 'string' },
} as const;

/** @throws Error if only one of both is set: the login would be skipped without a word */
function credentialsIn({ VERIFY_EMAIL: email, VERIFY_PASSWORD: password }: NodeJS.ProcessEnv): Credentials | undefined {
  if (!email && !password) return undefined;
  if (email && password) return { email, password };
  const [set, missing] = email ? ['EMAIL', 'PASSWORD'] : ['PASSWORD', 'EMAIL'];
  throw new Error(`VERIFY_${set} is set, but VERIFY_${missing} is not. Set both to log in, or neither.`);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [url] = positionals;
  if (values.deep === 'local' && url === undefined) return verifyHere();
  if (url === undefined || positionals.length > 1) throw new Error('Give one URL, the output BaseUrl of the stack.');
  const { version, 'web-acl': webAcl, deep } = values;
  const credentials = credentialsIn(process.env);
  const options = {
    version,
    webAcl,
    operator: deep === undefined ? undefined : await operatorOf(deep),
    credentials,
  };
  return show(await verify(deploymentAt(url), options));
}

async function verifyHere(): Promise<number> {
  const { stack, operator } = await startedHere();
  try {
    return show(await verify(deploymentAt(stack.url), { operator }));
  } finally {
    await stack.stop();
  }
}

function show({ failed, lines }: Awaited<ReturnType<typeof verify>>): number {
  const rest = NOT_SEEN_FROM_OUTSIDE.map((line) => `       ${line}`);
  const verdict = failed === 0 ? 'Nothing is wrong.' : `${failed} ${failed === 1 ? 'check' : 'checks'} failed.`;
  console.log([...lines, 'Only the account can show (docs/deploy.md says how):', ...rest, verdict].join('\n'));
  return failed === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await main().catch((error: unknown) => {
    console.error(`${messageOf(error)}\n${USAGE}`);
    return 2;
  });
}
