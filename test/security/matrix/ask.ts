/** Sends a cell's request to a target, as the OpenAPI document has it, and returns the faults of the response. */
import { type Route, routePath, ROUTES } from '../../../functions/shared/routes.ts';
import { exampleBody, requiredParameters, undocumented } from '../../kit/documented.ts';
import { type Answered, routeOf, type Sent, type Target, verdictOf } from '../support/target.ts';
import { OWN } from '../support/data.ts';
import type { Cell, Expected } from './matrix.ts';
import { validToken } from './token-class.ts';

const SIGNED_RUN = 'signed';

/** Ids of existing resources, so that only the token and the company decide. */
export interface Known {
  readonly import_id: string;
  readonly external_record_id: string;
}

export async function ask(target: Target, cell: Cell, known: Known): Promise<Answered> {
  return target.send(await requestOf(target, cell, known));
}

export async function requestOf(
  target: Target,
  { route, tokenClass, carrier, company }: Cell,
  known: Known,
): Promise<Sent> {
  const made = await tokenClass.make(target, carrier === 'header' ? 'access' : 'refresh');
  const authorization = carrier === 'body' || tokenClass.isHeader || made === undefined ? made : `Bearer ${made}`;
  const headers = carrier === 'header' && authorization !== undefined ? { authorization } : {};
  const request = validRequest(route, known, company);
  if (route.name !== 'refresh-token') return { ...request, headers: { ...request.headers, ...headers } };
  const refreshToken = carrier === 'body' ? made : await validToken(target, 'refresh');
  return { ...request, headers: { ...request.headers, ...headers }, body: JSON.stringify({ refreshToken }) };
}

/** One valid request by the document. A new route is in the document, and so it is tested here too. */
export function validRequest(route: Route, known: Known, company: string | undefined): Sent {
  const required = requiredParameters(route);
  // Evidence is of a run that nobody takes back.
  const own: Readonly<Record<string, string>> = route.name === 'sign-evidence' ? { run_id: SIGNED_RUN } : {};
  const values = (place: string) =>
    Object.fromEntries(
      required
        .filter((parameter) => parameter.in === place)
        .map(({ name, example }) => [name, { ...known, ...own, company_id: company }[name] ?? String(example)]),
    );
  const example = exampleBody(route);
  return {
    route,
    path: values('path'),
    // A learner has one of several names, none of which is required.
    query: { ...values('query'), ...(route.name === 'get-learner' && { user_id: '2' }) },
    headers: example === undefined ? {} : { 'content-type': 'application/json' },
    ...(example === undefined ? {} : { body: JSON.stringify(example) }),
  };
}

/** Each operation of a company that reads, with the path and the query of a valid request. */
export function examplePaths(known: Known, company_id: string) {
  const reading = ROUTES.filter(({ method, access }) => method === 'GET' && access === 'migration');
  return reading.map((route) => {
    const { path = {}, query = {} } = validRequest(route, known, company_id);
    const none = { import_id: '', run_id: '', external_user_id: '', external_course_id: '' };
    const parameters = { company_id, ...none, ...path };
    return { route, path: `${routePath(route.name, parameters)}?${new URLSearchParams(query).toString()}` };
  });
}

/** Starts an import of the document's example, which the caller has processed. `run_id` replaces the example's. */
export async function importedRecord(target: Target, run_id?: string | null): Promise<Known> {
  const request = validRequest(routeOf('start-import'), { import_id: '', external_record_id: '' }, OWN);
  const authorization = `Bearer ${await validToken(target, 'access')}`;
  const example = JSON.parse(String(request.body)) as object;
  const body = JSON.stringify({ ...example, dry_run: false, ...(run_id !== undefined && { run_id }) });
  const { text } = await target.send({ ...request, body, headers: { ...request.headers, authorization } });
  const { import_id } = JSON.parse(text) as { import_id?: string };
  if (import_id === undefined) throw new Error(`no import was started: ${text}`);
  return { import_id, external_record_id: 'r-1' };
}

/** An import and its run, with reverts requested; another import keeps its records. `process` processes imports. */
export async function revertedImport(target: Target, process: () => Promise<unknown>): Promise<Known> {
  for (const run of [null, SIGNED_RUN]) {
    await importedRecord(target, run);
    await process();
  }
  const known = await importedRecord(target);
  for (const name of ['revert-import', 'revert-run']) {
    for (let status = 409; status !== 202;) {
      await process();
      const { headers, ...request } = validRequest(routeOf(name), known, OWN);
      const authorization = `Bearer ${await validToken(target, 'access')}`;
      const body = JSON.stringify({ dry_run: false });
      ({ status } = await target.send({ ...request, headers: { ...headers, authorization }, body }));
      if (status !== 202 && status !== 409) throw new Error(`the revert was answered ${status}`);
    }
  }
  return known;
}

export function faultsOf(route: Route, answered: Answered, expected: Expected): string[] {
  return [...wrongVerdict(answered, expected), ...wrongHeaders(route, answered), ...wrongShape(route, answered)];
}

const RIGHT = { passed: /^2\d\d$/, 'passed once': /^2\d\d$|^404 [a-z]+_not_found$/ };

function wrongVerdict(answered: Answered, expected: Expected): string[] {
  const verdict = verdictOf(answered);
  const isRight =
    expected === 'passed' || expected === 'passed once' ? RIGHT[expected].test(verdict) : verdict === expected;
  return isRight ? [] : [`answered ${verdict}, not ${expected}`];
}

/** Headers that every response has, and those that its status or its path requires. */
export function wrongHeaders(route: Route, { status, headers }: Answered): string[] {
  const isSecret = route.path.startsWith('/api/v1/auth/') && !route.path.endsWith('jwks.json');
  const challenged = status === 401 && route.access !== 'public';
  const rules: readonly (readonly [string, boolean])[] = [
    ['x-request-id', (headers['x-request-id'] ?? '') !== ''],
    ['strict-transport-security', /max-age=\d{8}/.test(headers['strict-transport-security'] ?? '')],
    ['x-content-type-options', headers['x-content-type-options'] === 'nosniff'],
    // A response of API Gateway itself has no charset.
    ['content-type', status === 204 || /^application\/json(; charset=utf-8)?$/.test(headers['content-type'] ?? '')],
    ['cache-control', !isSecret || headers['cache-control'] === 'no-store'],
    ['www-authenticate', (headers['x-amzn-remapped-www-authenticate'] === 'Bearer') === challenged],
    ['access-control-allow-origin', headers['access-control-allow-origin'] === undefined],
  ];
  return rules.filter(([, holds]) => !holds).map(([name]) => `${name}: ${headers[name] ?? 'absent'}`);
}

export function wrongShape({ method, path }: Route, { status, headers, text }: Answered): string[] {
  const seen = { status, headers: new Headers(headers), body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  return undocumented(method, path, seen).map((finding) => `against the OpenAPI document: ${finding}`);
}
