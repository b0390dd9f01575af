/** What API Gateway takes of all callers together, by method. `web-acl.ts` derives from it what one address may take. */
import type { RouteName } from '../../functions/shared/routes.ts';

/** Requests a second, and at once. */
export interface Rate {
  readonly throttlingRateLimit: number;
  readonly throttlingBurstLimit: number;
}

const rate = (throttlingRateLimit: number, throttlingBurstLimit: number): Rate => ({
  throttlingRateLimit,
  throttlingBurstLimit,
});

/** A password hash costs a fifth of a second of CPU, and guessing passwords needs many logins. */
const AUTHENTICATING = rate(10, 20);
/** What a client calls once, or every few seconds; a search may read a whole run or record. */
const ONCE = rate(5, 20);
const SEARCHING = rate(2, 20);

/**
 * API Gateway has none for a whole API: the sum (docs/limits.md) is what an attacker can cost. Imports need most. A route that is
 * not named is called `ONCE`.
 */
const RATES: Readonly<Partial<Record<RouteName, Rate>>> = {
  login: AUTHENTICATING,
  'refresh-token': ONCE,
  // A call of a caller without a token waits for the provider.
  'get-sign-in': SEARCHING,
  'sign-in': SEARCHING,
  'get-profile': SEARCHING,
  logout: SEARCHING,
  'list-imports': SEARCHING,
  'get-token': SEARCHING,
  'get-authorization-server': SEARCHING,
  'get-jwks': rate(2, 50),
  'get-evidence-jwks': SEARCHING,
  'get-openapi': SEARCHING,
  'resolve-users': rate(8, 50),
  'start-import': rate(20, 50),
  'get-import': rate(80, 200),
  'list-import-records': rate(16, 50),
  'get-learner': rate(16, 100),
  'cancel-import': SEARCHING,
  'revert-import': SEARCHING,
  'get-revert': SEARCHING,
  'put-run': SEARCHING,
  'delete-run': SEARCHING,
  'make-plan': SEARCHING,
  'apply-plan': SEARCHING,
  'approve-plan': SEARCHING,
  'get-plan': SEARCHING,
  'delete-plan': SEARCHING,
  'list-plan-records': SEARCHING,
  'list-runs': SEARCHING,
  'get-run': SEARCHING,
  'cancel-run': SEARCHING,
  'delete-user-mapping': SEARCHING,
  'delete-course-mapping': SEARCHING,
  'sign-evidence': SEARCHING,
  'list-evidence': SEARCHING,
  'revert-run': SEARCHING,
  'get-run-revert': SEARCHING,
  'get-record': SEARCHING,
  'list-archive': SEARCHING,
};
/** Unknown paths and methods, and the page. */
export const OTHERS = rate(3, 50);
/** Of pages of other origins, before a call to each new path. */
export const PREFLIGHTS = rate(5, 50);
const IMPORTING = new Set<RouteName>(['start-import', 'get-import']);
/** Writes a second that their rates carry enough imports for: one of 500 records makes some 1,065. */
const WRITES_CARRIED = 20_000;

/** @param warm writes a second of a warm table, which more imports then reach */
export function rateOf(name: RouteName, warm = 0): Rate {
  const { throttlingRateLimit, throttlingBurstLimit } = RATES[name] ?? ONCE;
  const times = IMPORTING.has(name) ? Math.max(1, warm / WRITES_CARRIED) : 1;
  return rate(Math.ceil(times * throttlingRateLimit), Math.ceil(times * throttlingBurstLimit));
}
