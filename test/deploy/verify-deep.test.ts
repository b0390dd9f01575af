/**
 * `npm run verify -- URL --deep` reports every granted action of the API and the intake that the proxy of a local
 * stack denies, as IAM does while a role is new. A function ignores a denial at its start, so an action is denied
 * until a function has logged it, or eight times. The processor and the watchdog are only watched, because a denied
 * delivery is repeated after two minutes. At length one in eight is denied, chosen by FIRST_SEED, in about six minutes
 * of waiting for fences; VERIFY_DEEP=1 denies all, in a quarter of an hour.
 */
import { describe, expect, it } from 'vitest';
import { denialsIn } from '../../bin/operate/verify/deep.ts';
import { deploymentAt } from '../../bin/operate/verify/deployment.ts';
import { verify } from '../../bin/operate/verify/main.ts';
import { startedHere } from '../../bin/operate/verify/operator.ts';
import { AT_LENGTH, FIRST_SEED } from '../kit/at-length.ts';
import { grantedBy } from './support/granted.ts';

it('denialsIn: lines of functions and of Lambda → each role and action once, sorted', () => {
  const line = (role: string, action: string) =>
    `{"error":{"message":"User: arn:aws:sts::1:assumed-role/${role}/fn-1 is not authorized to perform: ${action} on resource: r"}}`;
  const lines = [line('b', 'kms:Sign'), line('a', 'sqs:SendMessage'), line('b', 'kms:Sign'), 'another line'];
  expect(denialsIn(lines)).toEqual(['a sqs:SendMessage', 'b kms:Sign']);
});

const TIMES = 8;
const DENIES_ALL = process.env['VERIFY_DEEP'] === '1';
const SHARE = DENIES_ALL ? 1 : 8;
/** Read when a function starts, and again when it is needed: a denial at the start is ignored. */
const IGNORED = /kms:GetPublicKey$/;
const IS_WATCHED = /^Roles(processchunk|watchdog)/;
/** Calls that no request from outside causes: a deployment's own roles, and those after a crash or a lost race. */
const NOT_REACHED = [
  / sqs:(Receive|Delete)Message$/,
  /^Roleslogin\w+ dynamodb:BatchWriteItem$/,
  /^Roles(loadsandboxdata|checksettings)/,
  // A check leaves no evidence, which is kept for good, and removes no mapping.
  /^Rolessignevidence/,
  /^Rolesregistering\w+ dynamodb:DeleteItem$/,
  // No check has the key of a client or signs in at an identity provider, and none mails a notice.
  /^Roles(gettoken|signin|sendnotices)/,
  // Rejected messages of the queue, and what is read for a request of access.
  /^Rolesintake\w+ (sqs:SendMessage|dynamodb:(GetItem|Query))$/,
  /^Roleswatchdog\w+ (dynamodb:(GetItem|BatchGetItem|PutItem|BatchWriteItem|UpdateItem|DeleteItem)|sqs:SendMessage|events:PutEvents)$/,
];

describe.runIf(AT_LENGTH || DENIES_ALL)('the checks of --deep', () => {
  it('the checks pass, reach every role and action, and name each action that was denied', async () => {
    let roles: ReadonlyMap<string, string> = new Map();
    let chosen: ReadonlySet<string> = new Set();
    const denied = new Map<string, number>();
    const reached = new Set<string>();
    let logged: readonly string[] = [];
    const { stack, operator, lines } = await startedHere({
      observe: ({ caller, requested }) => {
        const role = roles.get(caller);
        if (role === undefined) return true;
        for (const { action } of requested) reached.add(`${role} ${action}`);
        const first = requested.find(({ action }) => {
          const each = `${role} ${action}`;
          const isLogged = () => logged.some((line) => denialsIn([line]).includes(each));
          return chosen.has(each) && (denied.get(each) ?? 0) < TIMES && !(denied.has(each) && isLogged());
        });
        if (first === undefined) return true;
        const each = `${role} ${first.action}`;
        denied.set(each, (denied.get(each) ?? 0) + 1);
        return first;
      },
    });
    logged = lines;
    roles = new Map([...stack.roles].map(([id, { roleId }]) => [id, roleId]));
    const granted = new Set(
      grantedBy(stack.roles.values()).map(({ callers: [caller = ''], action }) => `${roles.get(caller)} ${action}`),
    );
    const deniable = [...granted].filter((each) => !IS_WATCHED.test(each) && !each.includes(' sqs:R')).toSorted();
    chosen = new Set(deniable.filter((_, at) => (at + FIRST_SEED) % SHARE === 0));
    const { lines: report } = await verify(deploymentAt(stack.url), { operator });
    await stack.stop();
    const failed = report.filter((line) => line.startsWith('FAILED'));
    // The public checks make a call once; those of `--deep` repeat theirs.
    const once = ['The JWK set has public keys only.', 'A login of an unknown account is refused.'];
    const unexpected = failed.slice(0, -1).filter((line) => !once.some((name) => line.includes(name)));
    expect(unexpected).toEqual([]);
    expect(denied.size).toBeGreaterThan(0);
    const unnamed = [...denied.keys()].filter((each) => failed.at(-1)?.includes(each) !== true);
    expect(unnamed.filter((each) => !IGNORED.test(each))).toEqual([]);
    const missed = [...granted].filter((each) => !reached.has(each));
    expect(missed.filter((each) => !NOT_REACHED.some((reason) => reason.test(each)))).toEqual([]);
  }, 900_000);
});
