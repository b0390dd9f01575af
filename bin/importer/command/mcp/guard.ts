/** What the server of assistants may ask of the service, whatever a tool does: it reads, and it prepares. */
import type { HttpRequest, Transport } from '../../client/index.ts';
import { isObject } from '../../wire/values.ts';
import { UsageError } from '../errors.ts';

interface Allowed {
  readonly method: HttpRequest['method'];
  readonly path: RegExp;
  readonly isFor?: (body: unknown) => boolean;
}

const isDryRun = (body: unknown): boolean => isObject(body) && body['dry_run'] === true;

/** Nothing here writes progress, confirms, approves, applies, cancels, reverts or signs. */
const ALLOWED: readonly Allowed[] = [
  { method: 'GET', path: /./ },
  { method: 'POST', path: /\/users\/resolve$/ },
  { method: 'POST', path: /\/progress\/imports$/, isFor: isDryRun },
  { method: 'PUT', path: /\/progress\/runs\/[^/]+$/ },
  { method: 'POST', path: /\/progress\/runs\/[^/]+\/plan$/ },
  { method: 'POST', path: /\/api\/v1\/auth\/(refresh-)?token$/ },
];

/** @throws UsageError, before anything is sent, for any other request */
export const guarded =
  (send: Transport): Transport =>
  (request) => {
    const { method, url, body } = request;
    const { pathname } = new URL(url);
    const isAllowed = ALLOWED.some(
      (each) => each.method === method && each.path.test(pathname) && each.isFor?.(body) !== false,
    );
    if (!isAllowed) throw new UsageError(`An assistant may not send ${method} ${pathname}: a person does that.`);
    return send(request);
  };
