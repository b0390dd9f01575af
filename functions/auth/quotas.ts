/** Hourly quotas of a company for imports and downloads (§8), counted in one item for each company and hour. */
import type { Database } from '../dynamodb/client.ts';
import { allOf, anyOf, isAbsent, isBelow } from '../dynamodb/expressions.ts';
import { updateAndRead } from '../dynamodb/items.ts';
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

const unit = (name: keyof Quotas): string => (name === 'imports' ? '' : ';qu="content-bytes"');

const secondsLeft = (nowMs: number): number => Math.ceil((HOUR_MS - (nowMs % HOUR_MS)) / 1000);

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers) of the quotas that a request counts towards. */
export type RateLimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>;

/** Counts the use of a company in one item an hour. An instance remembers which quotas are used up. */
export function quotaStore(database: Database, limits: Quotas) {
  /** What this instance met used up, with what was left of each: it stays used up in that hour, and no call is needed to see it. */
  const usedUp = new Map<string, { readonly hour: number; readonly left: Use }>();

  const headersOf = (left: Use, nowMs: number): RateLimitHeaders => {
    const names = namesIn(left);
    return {
      'ratelimit-policy': names
        .map((name) => `"${name}";q=${limits[name]}${unit(name)};w=${HOUR_MS / 1000}`)
        .join(', '),
      ratelimit: names.map((name) => `"${name}";r=${left[name]};t=${secondsLeft(nowMs)}`).join(', '),
    };
  };

  const exceeded = (left: Use, nowMs: number) => new QuotaExceeded(secondsLeft(nowMs), headersOf(left, nowMs));

  /** Throws `QuotaExceeded` if the company is known to have used up what `use` counts towards. */
  const check = (company_id: string, use: Use, nowMs: number): void => {
    const known = usedUp.get(nameOf(company_id, use));
    if (known?.hour === hourOf(nowMs)) throw exceeded(known.left, nowMs);
  };

  const count = async (company_id: string, use: Use, nowMs: number): Promise<RateLimitHeaders> => {
    const hour = hourOf(nowMs);
    const names = namesIn(use);
    const stillBelow = names.map((name) => anyOf(isAbsent(name), isBelow(name, limits[name])));
    const { changed, item = {} } = await updateAndRead(database, quotaKey(company_id, hour), {
      set: { [TABLE.expiresAt]: (hour + 2) * (HOUR_MS / 1000) },
      add: use,
      when: allOf(...stillBelow),
    });
    const leftOf = (name: keyof Quotas) => Math.max(0, limits[name] - Number(item[name] ?? 0));
    const left: Use = Object.fromEntries(names.map((name) => [name, leftOf(name)]));
    if (changed) return headersOf(left, nowMs);
    usedUp.set(nameOf(company_id, use), { hour, left });
    throw exceeded(left, nowMs);
  };

  return {
    check,

    /** Counts `use`; the last request may exceed a limit. Returns what the caller is told. Throws `QuotaExceeded`, or rejects with it. */
    spend(company_id: string, use: Use, nowMs: number): Promise<RateLimitHeaders> {
      check(company_id, use, nowMs);
      return count(company_id, use, nowMs);
    },
  };
}
