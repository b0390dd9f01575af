import * as v from 'valibot';
import { problemsIn, type Settings, SETTINGS } from '../settings.ts';

/** What an account has as a stack has it. */
const { entries: ofStacks } = v.pick(SETTINGS, [
  'account',
  'region',
  'alarms',
  'tickets',
  'runbook',
  'qualifier',
  'permissions-boundary',
  'tags',
]);
const above = (least: number, rule: string) => v.pipe(v.number(rule), v.minValue(least, rule));

const ACCOUNT_SETTINGS = v.strictObject(
  {
    $schema: v.optional(v.string()),
    ...ofStacks,
    /** US dollars a month for the whole account; the topic is notified at 80 % of it, and at a forecast of all of it. */
    budget: v.exactOptional(above(1, 'must be a number of US dollars a month')),
    /** A web ACL for the API of every stack that has none of its own. */
    'web-acl': v.exactOptional(v.boolean('must be true or false')),
    /** Sets the role with which every API of the account and region writes its execution log. An account has one. */
    'execution-logs': v.exactOptional(v.boolean('must be true or false')),
    /** Whether the stack switches resource tags on telemetry on; false if the account and region has them already. */
    'resource-tags': v.exactOptional(v.boolean('must be true or false')),
    /** Whether a function looks every fifteen minutes for silent stacks; default: yes. */
    'fleet-check': v.exactOptional(v.boolean('must be true or false')),
    /** Days without a fact after which the platform of a stack counts as silent; default: 7. */
    'quiet-days': v.exactOptional(
      v.pipe(
        above(1, 'must be days from 1 to 400'),
        v.integer('must be whole days'),
        v.maxValue(400, 'must be days from 1 to 400'),
      ),
    ),
    /** The account's quota of concurrent executions of Lambda, near which an alarm is raised. */
    concurrency: v.exactOptional(above(10, 'must be the account’s quota of concurrent executions')),
  },
  'is not a setting of an account',
);

/** The settings of an account stack, as `account.json` has them. */
export type AccountSettings = v.InferOutput<typeof ACCOUNT_SETTINGS>;

/** @throws Error that names each wrong setting */
export function parseAccountSettings(written: Readonly<Record<string, unknown>>, file: string): AccountSettings {
  const { success, output, issues } = v.safeParse(ACCOUNT_SETTINGS, written);
  const problems = success
    ? PROBLEMS.filter(([isOf]) => isOf(output)).map(([, rule]) => rule)
    : problemsIn(ACCOUNT_SETTINGS, written, issues).map((problem) => problem.join(' '));
  if (!success || problems.length > 0) throw new Error(problems.map((rule) => `${file}: ${rule}.`).join('\n'));
  return output;
}

/** Settings that do not go together, and what CloudFormation does not have everywhere. */
const PROBLEMS: readonly (readonly [isOf: (settings: AccountSettings) => boolean, rule: string])[] = [
  [
    (settings) => (settings.account === undefined) !== (settings.region === undefined),
    'account and region go together: name both, or neither',
  ],
  [
    ({ region, budget }) => region?.startsWith('us-gov-') === true && budget !== undefined,
    'budget is not available in GovCloud: remove it',
  ],
  [
    ({ region, 'resource-tags': tags }) => region?.startsWith('cn-') === true && tags !== false,
    'resource-tags must be false in China, which does not have them',
  ],
  [
    ({ region, 'fleet-check': check }) => region?.startsWith('cn-') === true && check !== false,
    'fleet-check must be false in China, where it cannot see what the alarms see',
  ],
];

/** Account stacks by their ids. */
export type Accounts = ReadonlyMap<string, AccountSettings>;

/** Id of the account stack of `account.json`; that of `account-eu.json` is `Account-eu`. */
export const ACCOUNT_STACK = 'Account';

/** The account and region of a stack, as one text; those of the credentials if it names none. */
export const placeOf = ({ account, region }: Pick<Settings, 'account' | 'region'>): string => `${account} ${region}`;

/** The account stack of the account and region in which the stack of these settings is, with its id. */
export const accountOf = (settings: Pick<Settings, 'account' | 'region'>, accounts: Accounts) =>
  [...accounts].find(([, each]) => placeOf(each) === placeOf(settings));
