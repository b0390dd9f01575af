/** Every operation × every class of credentials × every company of a path, with the expected response of each. */
import { ROUTES, type Route } from '../../../functions/shared/routes.ts';
import { CLAIM_CLASSES } from './claim-classes.ts';
import { FORM_CLASSES, HEADER_CLASSES } from './form-classes.ts';
import { BEARER_CLASSES } from './bearer-classes.ts';
import type { Outcome, TokenClass } from './token-class.ts';
import { DORMANT, OTHER, OWN } from '../support/data.ts';
import { operationOf } from '../../kit/documented.ts';

export const TOKEN_CLASSES: readonly TokenClass[] = [
  ...HEADER_CLASSES,
  ...FORM_CLASSES,
  ...CLAIM_CLASSES,
  ...BEARER_CLASSES,
];

/** Values of the company in a path, decoded. */
export const COMPANIES: readonly string[] = [
  OWN,
  OTHER,
  DORMANT,
  'nowhere',
  '..',
  '.',
  '/',
  '../acme',
  '%2F',
  '%2e%2e',
  '\0',
  'acme\0',
  'acme\n',
  'ACME',
  'Acme',
  ' acme',
  'acme#user',
  'acme,globex',
  '*',
  '__proto__',
  'constructor',
  'аcme',
  'acme\u200b',
  '🙂',
  'x'.repeat(10_240),
];

export interface Cell {
  readonly route: Route;
  readonly tokenClass: TokenClass;
  readonly carrier: 'header' | 'body';
  /** Of the path, where the route has one. */
  readonly company: string | undefined;
  readonly expected: Expected;
}

/** `passed`: a documented success; `passed once`: what it deletes may be gone by now. */
export type Expected = 'passed' | 'passed once' | `${number} ${string}`;

/**
 * A client and a person who signs in prove themselves in the body: `test/over-http/clients.test.ts` and `test/auth/provider.test.ts` have
 * their forgeries.
 */
export const ASKED: readonly Route[] = ROUTES.filter(({ name }) => name !== 'get-token' && name !== 'sign-in');

export function cells(): Cell[] {
  return ASKED.flatMap((route) => [...headerCells(route), ...bodyCells(route)]);
}

function headerCells(route: Route): Cell[] {
  return TOKEN_CLASSES.filter(({ only }) => only !== 'refresh').flatMap((tokenClass) =>
    companiesFor(route, tokenClass).map((company) => ({
      route,
      tokenClass,
      carrier: 'header' as const,
      company,
      expected: expectedOf(route, tokenClass.outcome, company),
    })),
  );
}

/** A token is refused before the company is looked at: its own and another company show that. */
function companiesFor({ path }: Route, { outcome }: TokenClass): readonly (string | undefined)[] {
  if (!path.includes('{company_id}')) return [undefined];
  return outcome === 'malformed' || outcome === 'refused' ? [OWN, OTHER] : COMPANIES;
}

/** The one operation that takes its token in the body. */
function bodyCells(route: Route): Cell[] {
  if (route.name !== 'refresh-token') return [];
  return TOKEN_CLASSES.filter(({ isHeader, only }) => !isHeader && only !== 'access').map((tokenClass) => ({
    route,
    tokenClass,
    carrier: 'body',
    company: undefined,
    expected: tokenClass.outcome === 'refused' ? '401 unauthorized' : 'passed',
  }));
}

/** §5, §7.1: checked in this order: header, token and bearer, company and role, enablement. */
function expectedOf(route: Route, outcome: Outcome, company: string | undefined): Expected {
  const { access } = route;
  if (access === 'public') return 'passed';
  if (outcome === 'malformed') return '400 invalid_request';
  if (outcome === 'absent' || outcome === 'refused') return '401 unauthorized';
  if (access === 'session') return 'passed';
  if (company !== outcome.company_id || !outcome.isAdmin) return '403 forbidden';
  if (!outcome.isEnabled) return '403 migrations_not_enabled';
  return ofResource(route, company);
}

/** What a call of the document's example finds of runs and plans: nobody has planned that run, and its real imports close it. */
const OF_RUNS: Readonly<Record<string, { readonly own?: Expected; readonly other?: Expected }>> = {
  // A dry run in the other company names it there, too.
  'get-run': { other: 'passed' },
  // It notifies a user of the own company.
  'put-run': { other: '400 invalid_request' },
  'delete-run': { own: '409 plan_closed' },
  'make-plan': { own: '409 plan_incomplete' },
  'get-plan': { own: '404 plan_not_found' },
  'approve-plan': { own: '404 plan_not_found' },
  'apply-plan': { own: '404 plan_not_found' },
  'list-plan-records': { own: '404 plan_not_found' },
};

/** The resource is the own company's: an admin of another company does not find it in theirs. What is deleted may be gone. */
function ofResource(route: Route, company: string | undefined): Expected {
  const known = OF_RUNS[route.name]?.[company === OWN ? 'own' : 'other'];
  if (known !== undefined) return known;
  if (route.method === 'DELETE') return 'passed once';
  if (company === OWN) return 'passed';
  const response = operationOf(route).responses['404'];
  const missing =
    response !== undefined && '$ref' in response ? response.$ref.split('/').at(-1)?.split('-or-')[0] : undefined;
  return missing === undefined ? 'passed' : `404 ${missing}`;
}
