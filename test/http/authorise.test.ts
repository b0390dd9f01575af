/** The authorisation of a request, and the order of its checks (§5, §7.1). In memory; costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { accessStore } from '../../functions/auth/access-store.ts';
import { openSession } from '../../functions/auth/sessions.ts';
import { databaseOn } from '../../functions/dynamodb/client.ts';
import { jsonBody } from '../../functions/http/json-body.ts';
import { importOf, importOperation, migrationOperation, sessionOperation } from '../../functions/http/operations.ts';
import type { Caller, ProtectedOperation } from '../../functions/http/types.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { getImport } from '../../functions/shared/routes.ts';
import { importItem } from '../dynamodb/samples.ts';
import { invoke, posted, type EventParts } from '../kit/api-event.ts';
import { authServices, COMPANY } from '../kit/auth-services.ts';

const IMPORT_ID = 'abcdefghijklmnopqrstuvwxyz';

let setting: Awaited<ReturnType<typeof authServices>>;
let token: string;
let callers: Caller[];

const operation: ProtectedOperation = async (request) => {
  callers.push(request.caller);
  if (request.headers['content-type']) jsonBody(request.body);
  const item = request.path['import_id'] === undefined ? request.import : importOf(request);
  return { statusCode: 200, body: { import_id: item?.import_id ?? null } };
};

beforeEach(async () => {
  setting = await authServices();
  callers = [];
  token = await tokenOf({});
});

async function tokenOf(user: Parameters<typeof setting.addUser>[0]): Promise<string> {
  const { services, clock, addUser } = setting;
  const pair = await openSession(services, addUser(user), clock.now);
  return pair.access_token;
}

it('a session begun with a password is over where passwords are off, and one of the identity provider is not', async () => {
  const { services, clock, addUser } = setting;
  const { access_token } = await openSession(services, addUser({}), clock.now, undefined, 'provider');
  const access = accessStore(databaseOn({ client: setting.client, table: 'table' }), { passwords: false });
  Object.assign(services.stores, { access });
  expect(code(await call())).toBe('401 unauthorized');
  expect((await call({ headers: bearer(access_token) })).status).toBe(200);
});

const bearer = (text = token) => ({ authorization: `Bearer ${text}` });

const NONE = () => ({ stores: {} });

function call(parts: EventParts = {}) {
  const handler = importOperation(getImport, NONE, operation);
  return invoke(handler.on(setting.services), { path: { company_id: 'acme' }, headers: bearer(), ...parts });
}

const code = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body.errors?.[0].error_code}`;

describe('the Authorization header', () => {
  it('a request without an Authorization header is 401 and names the scheme', async () => {
    const response = await call({ headers: {} });
    expect(code(response)).toBe('401 unauthorized');
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  it.each(['', 'Basic YTpi', 'Bearer  a', 'Bearer a b', 'Bearer a,Bearer b', 'Bearer "a"', 'Bearer =', 'Bearer é'])(
    'the header %j is malformed: 400',
    async (authorization) => {
      const response = await call({ headers: { authorization } });
      expect(code(response)).toBe('400 invalid_request');
      expect(response.headers['www-authenticate']).toBeUndefined();
    },
  );

  it('the scheme and the name of the header are accepted in any letter case', async () => {
    expect((await call({ headers: { Authorization: `bEARER ${token}` } })).status).toBe(200);
  });

  it('a header with a token that does not verify is 401 without any read', async () => {
    expect(code(await call({ headers: bearer('abc') }))).toBe('401 unauthorized');
    expect(setting.memory.reads).toEqual([]);
  });
});

describe('verified tokens without access', () => {
  it.each<[string, () => void]>([
    ['its user is gone', () => setting.memory.users.clear()],
    ['its user is inactive', () => void setting.addUser({ license: 'inactive' })],
    ['its address now belongs to another user', () => void setting.addUser({ user_id: 2 })],
    ['its session is gone', () => setting.memory.sessionItems.clear()],
    ['it has expired', () => void (setting.clock.now += 1_728_000_000)],
  ])('a token that verifies is 401 when %s', async (_, change) => {
    change();
    const response = await call();
    expect(code(response)).toBe('401 unauthorized');
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  it.each([{ revoked: true }, { user_id: 2 }, { company_id: 'other' }])(
    'a token that verifies is 401 when its session is %j',
    async (change) => {
      for (const session of setting.memory.sessionItems.values())
        setting.memory.sessionItems.set(session.session_id, { ...session, ...change });
      expect(code(await call())).toBe('401 unauthorized');
    },
  );
});

describe('the log line', () => {
  const logged = () => setting.telemetry.lines.at(-1)?.fields;
  const session_id = () => setting.memory.sessionItems.values()[0]?.session_id;

  it.each<[string, number, () => void, EventParts]>([
    ['of a success', 200, () => undefined, {}],
    ['of a refusal in another company', 403, () => undefined, { path: { company_id: 'other' } }],
    ['of a request that is malformed', 400, () => undefined, posted('{', bearer())],
    ['of a session that has ended', 401, () => void setting.addUser({ license: 'inactive' }), {}],
  ])('the log line %s names user, session and company of the token', async (_, status, change, parts) => {
    change();
    const headers = { ...parts.headers, ...bearer() };
    expect((await call({ ...parts, headers })).status).toBe(status);
    expect(logged()).toMatchObject({ status, user_id: 1, session_id: session_id(), company_id: 'acme' });
  });

  it('the log line of a forged token names no user', async () => {
    await call({ headers: bearer('a.b.c') });
    expect(Object.keys(logged() ?? {})).not.toContain('user_id');
  });
});

describe('an active user', () => {
  it.each(['other', '', '..', 'acme#', 'ACME', 'x'.repeat(5000), '\u0000', '%2F'])(
    'an active user is forbidden in the company %j',
    async (company_id) => {
      expect(code(await call({ path: { company_id } }))).toBe('403 forbidden');
    },
  );

  it('a forbidden user gets the same response whether or not the other company exists', async () => {
    setting.memory.companies.set('other', { ...COMPANY, company_id: 'other' });
    const there = await call({ path: { company_id: 'other' } });
    const missing = await call({ path: { company_id: 'nowhere' } });
    expect(there.body).toEqual(missing.body);
  });

  it('a user without the admin role is forbidden, enabled or not', async () => {
    const headers = bearer(await tokenOf({ email: 'customer@acme.test', user_id: 3, role: 'customer' }));
    expect(code(await call({ headers }))).toBe('403 forbidden');
    setting.memory.companies.clear();
    expect(code(await call({ headers }))).toBe('403 forbidden');
  });

  it('a user whose admin role was removed is refused from the next request on', async () => {
    setting.addUser({ role: 'customer' });
    expect(code(await call())).toBe('403 forbidden');
  });

  it.each([
    ['is not enabled', false],
    ['is not there', undefined],
  ])('an admin whose company %s is refused with migrations_not_enabled', async (_, migrations_enabled) => {
    setting.memory.companies.clear();
    if (migrations_enabled !== undefined) setting.memory.companies.set('acme', { ...COMPANY, migrations_enabled });
    expect(code(await call())).toBe('403 migrations_not_enabled');
  });

  it('an admin passes with user, company and session in one read', async () => {
    expect((await call()).status).toBe(200);
    expect(callers).toEqual([
      expect.objectContaining({ user: setting.admin, company: COMPANY, session: expect.anything() }),
    ]);
    expect(setting.memory.reads).toHaveLength(1);
  });
});

describe('the order of the checks', () => {
  const deep = posted('[[[', { 'content-type': 'text/plain' });
  const huge = posted(`"${'x'.repeat(4 * 1024 * 1024)}"`);
  const unknownImport = { company_id: 'acme', import_id: IMPORT_ID };

  it.each<[string, () => EventParts]>([
    [
      '400 invalid_request',
      () => ({ ...huge, headers: { ...huge.headers, authorization: 'Basic x' }, path: { company_id: '#' } }),
    ],
    ['401 unauthorized', () => ({ ...huge, path: { company_id: '#' } })],
    ['403 forbidden', () => ({ ...huge, headers: { ...huge.headers, ...bearer() }, path: { company_id: '#' } })],
    ['413 payload_too_large', () => ({ ...huge, headers: { ...huge.headers, ...bearer() }, path: unknownImport })],
    ['400 invalid_request', () => ({ ...deep, headers: { ...deep.headers, ...bearer() }, path: unknownImport })],
    ['404 import_not_found', () => ({ path: unknownImport })],
  ])('the check of %s comes before what is checked later', async (expected, parts) => {
    expect(code(await call(parts()))).toBe(expected);
  });

  it('a company that is not enabled is reported before the body', async () => {
    setting.memory.companies.clear();
    expect(code(await call({ ...huge, headers: { ...huge.headers, ...bearer() } }))).toBe('403 migrations_not_enabled');
  });

  it('a revoked session is reported before a foreign company', async () => {
    setting.memory.sessionItems.clear();
    expect(code(await call({ path: { company_id: 'other' } }))).toBe('401 unauthorized');
  });
});

describe('the import that a request names', () => {
  beforeEach(() => {
    setting.memory.imports.set(IMPORT_ID, importItem('acme', { import_id: IMPORT_ID }));
  });

  it('the import that a request names is read with the authorisation, in one batch', async () => {
    const response = await call({ path: { company_id: 'acme', import_id: IMPORT_ID } });
    expect(response.body).toEqual({ import_id: IMPORT_ID });
    expect(setting.memory.reads).toEqual([expect.objectContaining({ company_id: 'acme', import_id: IMPORT_ID })]);
  });

  it('an import is never read for another company', async () => {
    expect(code(await call({ path: { company_id: 'other', import_id: IMPORT_ID } }))).toBe('403 forbidden');
    expect(setting.memory.reads).toEqual([expect.not.objectContaining({ import_id: IMPORT_ID })]);
  });

  it.each(['', IMPORT_ID.toUpperCase(), `${IMPORT_ID}a`, 'a#b'])(
    'an import id is not used in a key if it is %j',
    async (import_id) => {
      expect(code(await call({ path: { company_id: 'acme', import_id } }))).toBe('404 import_not_found');
      expect(setting.memory.reads).toEqual([expect.not.objectContaining({ import_id: expect.anything() })]);
    },
  );

  it('the import id may be derived from the request instead of its path', async () => {
    const derived = importOperation(getImport, NONE, operation, ({ headers }) => headers['x-import']);
    const parts = { path: { company_id: 'acme' }, headers: { ...bearer(), 'x-import': IMPORT_ID } };
    expect((await invoke(derived.on(setting.services), parts)).body).toEqual({ import_id: IMPORT_ID });
  });
});

const profile = () =>
  sessionOperation(NONE, async ({ caller }) => ({ statusCode: 200, body: { id: caller.user.user_id } })).on(
    setting.services,
  );

describe('a session operation', () => {
  it('a session operation requires neither a role nor an enabled company', async () => {
    setting.memory.companies.clear();
    const headers = bearer(await tokenOf({ email: 'customer@acme.test', user_id: 3, role: 'customer' }));
    expect(await invoke(profile(), { headers })).toMatchObject({ status: 200, body: { id: 3 } });
  });

  it('a session operation requires an open session', async () => {
    setting.memory.sessionItems.clear();
    expect(code(await invoke(profile(), { headers: bearer() }))).toBe('401 unauthorized');
  });
});

it('a store that is down is 503, not a decision', async () => {
  const down = { readAccess: () => Promise.reject(new TemporarilyUnavailable('down')) };
  const { stores } = setting.services;
  const services = { ...setting.services, stores: { ...stores, access: { ...stores.access, ...down } } };
  const handler = migrationOperation(getImport, NONE, operation).on(services);
  const response = await invoke(handler, { path: { company_id: 'acme' }, headers: bearer() });
  expect(code(response)).toBe('503 temporarily_unavailable');
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
});
