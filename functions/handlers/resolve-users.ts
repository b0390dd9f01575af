import * as v from 'valibot';
import { directoryStore } from '../catalog/directory-store.ts';
import { resolveUsers as resolve } from '../catalog/resolve-users.ts';
import { resolveRequest } from '../http/bodies.ts';
import { bodyOf } from '../http/json-body.ts';
import { migrationOperation } from '../http/operations.ts';
import { MAX_RESOLVE_BODY_BYTES } from '../shared/limits.ts';
import { resolveUsers as route } from '../shared/routes.ts';

const body = resolveRequest(v.unknown());

/** `POST …/users/resolve` (§4.2 operation 2): one result for each address, in the order sent. Errors: 413 over 100 addresses, 400. */
export const handler = migrationOperation(
  route,
  (database) => ({ stores: { directory: directoryStore(database) } }),
  async (request, { stores }) => {
    const { emails } = bodyOf(body, request, MAX_RESOLVE_BODY_BYTES);
    return { statusCode: 200, body: await resolve(request.caller.company.company_id, emails, stores.directory) };
  },
);
