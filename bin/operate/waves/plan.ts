import { accountOf, type Accounts, placeOf } from '../../../lib/account/account-settings.ts';
import { type Settings, stackName } from '../../../lib/settings.ts';
import { webAclSetting } from '../../../lib/api/web-acl.ts';
import { DEFAULT_CONCURRENCY, concurrencyOf } from '../../../lib/processing/chunk-processing.ts';

export type Target = ReturnType<typeof targetOf>;
export type Wave = ReturnType<typeof planWaves>[number];

export const targetOf = (settings: Settings, accounts: Accounts = new Map()) => ({
  ...settings,
  stack: stackName(settings),
  hasWebAcl: webAclSetting(settings, accountOf(settings, accounts)?.[1]) !== undefined,
  /** Executions of Lambda that its queues may use at once. */
  concurrency: concurrencyOf(settings),
});

export const accountsOf = (targets: readonly Target[]): ReadonlySet<string> =>
  new Set(targets.flatMap(({ account }) => account ?? []));

/** The targets of an account; one that names none belongs to the account of the credentials. */
export const targetsIn = (account: string, targets: readonly Target[]): Target[] =>
  targets.filter((target) => target.account === undefined || target.account === account);

const STAGES: readonly Settings['stage'][] = ['sandbox', 'production'];
/** Each wave is four times the previous one, so a fault has been tried on a quarter as many companies first. */
const GROWTH = 4;

/** Canaries (by default the first company), then waves that grow. @throws Error if a canary has no deployment */
export function planWaves(targets: readonly Target[], canaries: readonly string[], size: number) {
  const companies = [...new Set(targets.map(({ company }) => company))].toSorted();
  const unknown = canaries.find((canary) => !companies.includes(canary));
  if (unknown !== undefined) throw new Error(`--canary names ${unknown}, which has no deployment.`);
  const groups = [canaries.length > 0 ? canaries : companies.slice(0, 1)];
  const rest = companies.filter((company) => !groups[0]?.includes(company));
  for (let most = size; rest.length > 0; most *= GROWTH) groups.push(rest.splice(0, most));
  return groups.map((group, at) => ({
    name: at === 0 ? 'canaries' : `wave ${at} of ${groups.length - 1}`,
    targets: STAGES.flatMap((stage) =>
      targets.filter((target) => target.stage === stage && group.includes(target.company)),
    ),
  }));
}

/** The part of an account's concurrent executions that queues may use; the rest is for the APIs. */
export const OF_QUEUES = 0.8;

/** For each account and region whose queues may together use more concurrent executions than it has for them: why. */
export function overbooked(targets: readonly Target[], accounts: Accounts): string[] {
  return [...Map.groupBy(targets, placeOf)].flatMap(([, together]) => {
    const [first] = together;
    const quota = (first && accountOf(first, accounts)?.[1].concurrency) ?? DEFAULT_CONCURRENCY;
    const used = together.reduce((sum, { concurrency }) => sum + concurrency, 0);
    if (used <= OF_QUEUES * quota) return [];
    const where = first?.account === undefined ? 'the account' : `${first.account} ${first.region}`;
    return `The queues of ${together.length} stacks in ${where} may use ${used} concurrent executions of Lambda at once, of ${quota}: lower processors in their files, or have the quota raised to ${Math.ceil(used / OF_QUEUES)} and write it into account.json as concurrency.`;
  });
}
