/** Puts a cell's question to a target: the route's valid request, as the OpenAPI document shows it, under the cell's token. */
import type { Route } from '../../../lib/routes.ts';
import { exampleBody, requiredParameters } from '../../kit/documented.ts';
import type { Answered, Sent, Target } from '../support/target.ts';
import type { Cell } from './matrix.ts';
import { validToken } from './token-class.ts';

/** Ids of things that are there, so that nothing but the token and the company decides. */
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

/** One request that the document calls valid. A route that is new is in the document, and so in here. */
export function validRequest(route: Route, known: Known, company: string | undefined): Sent {
  const required = requiredParameters(route);
  const values = (place: string) =>
    Object.fromEntries(
      required
        .filter((parameter) => parameter.in === place)
        .map(({ name, example }) => [name, { ...known, company_id: company }[name] ?? String(example)]),
    );
  const example = exampleBody(route);
  return {
    route,
    path: values('path'),
    query: values('query'),
    headers: example === undefined ? {} : { 'content-type': 'application/json' },
    ...(example === undefined ? {} : { body: JSON.stringify(example) }),
  };
}
