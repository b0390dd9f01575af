/** Which stacks are deployed together, and which wait for them. */
import { accountOf, type Accounts } from '../../../lib/account/account-settings.ts';
import { type Settings, stackName } from '../../../lib/settings.ts';
import { webAclSetting } from '../../../lib/api/web-acl.ts';

export type Target = Pick<Settings, 'company' | 'stage' | 'account' | 'region'> & {
  readonly stack: string;
  /** Whether a web ACL should protect its API. */
  readonly hasWebAcl: boolean;
};

export interface Wave {
  readonly name: string;
  readonly targets: readonly Target[];
}

export const targetOf = (settings: Settings, accounts: Accounts = new Map()): Target => ({
  company: settings.company,
  stage: settings.stage,
  ...(settings.account !== undefined && { account: settings.account }),
  ...(settings.region !== undefined && { region: settings.region }),
  stack: stackName(settings),
  hasWebAcl: webAclSetting(settings, accountOf(settings, accounts)?.[1]['web-acl'] === true) !== undefined,
});

export const accountsOf = (targets: readonly Target[]): ReadonlySet<string> =>
  new Set(targets.flatMap(({ account }) => account ?? []));

/** The targets of an account; one that names none belongs to the account of the credentials. */
export const targetsIn = (account: string, targets: readonly Target[]): Target[] =>
  targets.filter((target) => target.account === undefined || target.account === account);

/**
 * The sandboxes of the canary companies, their production stacks, and then so many companies at a time, the sandboxes first.
 *
 * @param canaries companies; without any, the first one
 * @param size companies in a wave
 * @throws Error if a canary has no deployment
 */
export function planWaves(targets: readonly Target[], canaries: readonly string[], size: number): Wave[] {
  const companies = [...new Set(targets.map(({ company }) => company))].toSorted();
  const unknown = canaries.find((canary) => !companies.includes(canary));
  if (unknown !== undefined) throw new Error(`--canary names ${unknown}, which has no deployment.`);
  const first = canaries.length > 0 ? canaries : companies.slice(0, 1);
  const rest = companies.filter((company) => !first.includes(company));
  const groups = Array.from({ length: Math.ceil(rest.length / size) }, (_, at) =>
    rest.slice(at * size, (at + 1) * size),
  );
  return [first, ...groups].flatMap((group, at) =>
    (['sandbox', 'production'] as const).flatMap((stage) => {
      const together = targets.filter((target) => target.stage === stage && group.includes(target.company));
      const name = `${at === 0 ? 'canaries' : `wave ${at} of ${groups.length}`}, ${stage}`;
      return together.length === 0 ? [] : [{ name, targets: together }];
    }),
  );
}
