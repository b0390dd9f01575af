/** Hourly quotas of a company for imports and downloads (§8), counted in one item for each company and hour. */
import type { Database } from '../dynamodb/client.ts';
import { allOf, anyOf, isAbsent, isBelow } from '../dynamodb/expressions.ts';
import { updateItem } from '../dynamodb/items.ts';
import { TABLE, quotaKey } from '../dynamodb/table.ts';
import * as ENV from '../runtime/variables.ts';
import { QuotaExceeded } from '../runtime/faults.ts';
import { HOURLY_QUOTAS } from '../shared/limits.ts';

export type Quotas = Readonly<Record<keyof typeof HOURLY_QUOTAS, number>>;

type Use = Partial<Quotas>;
const QUOTAS = ['imports', 'upload_bytes', 'download_bytes'] as const satisfies (keyof Quotas)[];
const namesIn = (use: Use) => QUOTAS.filter((name) => use[name] !== undefined);

const nameOf = (company_id: string, use: Use): string => [company_id, ...namesIn(use)].join(' ');

export type QuotaStore = ReturnType<typeof quotaStore>;

/** The quotas that the settings give, or those of `limits.ts`. */
export function deployedQuotas(database: Database, environment: ENV.Environment): QuotaStore {
  const set = environment[ENV.quotas];
  return quotaStore(database, set === undefined ? HOURLY_QUOTAS : JSON.parse(set));
}

const HOUR_MS = 3_600_000;
const hourOf = (nowMs: number): number => Math.floor(nowMs / HOUR_MS);

/** Counts the use of a company in one item an hour. An instance remembers which quotas are used up. */
export function quotaStore(database: Database, limits: Quotas) {
  /** The hours in which this instance met a quota that was used up: it stays used up, and no write is needed to see it. */
  const usedUp = new Map<string, number>();

  /** Throws `QuotaExceeded` if the company is known to have used up what `use` counts towards. */
  const check = (company_id: string, use: Use, nowMs: number): void => {
    if (usedUp.get(nameOf(company_id, use)) === hourOf(nowMs)) throw exceeded(nowMs);
  };

  const count = async (company_id: string, use: Use, nowMs: number): Promise<void> => {
    const hour = hourOf(nowMs);
    const stillBelow = namesIn(use).map((name) => anyOf(isAbsent(name), isBelow(name, limits[name])));
    const counted = await updateItem(database, quotaKey(company_id, hour), {
      set: { [TABLE.expiresAt]: (hour + 2) * (HOUR_MS / 1000) },
      add: use,
      when: allOf(...stillBelow),
    });
    if (counted) return;
    usedUp.set(nameOf(company_id, use), hour);
    throw exceeded(nowMs);
  };

  return {
    check,

    /** Counts `use`; the last request may exceed a limit. Throws `QuotaExceeded`, or rejects with it. */
    spend(company_id: string, use: Use, nowMs: number): Promise<void> {
      check(company_id, use, nowMs);
      return count(company_id, use, nowMs);
    },
  };
}

const exceeded = (nowMs: number): QuotaExceeded => new QuotaExceeded(Math.ceil((HOUR_MS - (nowMs % HOUR_MS)) / 1000));
