/** `POST /local/intake`: the platform's facts and an erasure on one machine (docs/data-file.md). On the shared local stack; costs seconds. */
import { expect, inject, it } from 'vitest';
import { login } from '../kit/api.ts';
import { PASSWORD } from '../kit/test-data.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const send = (init: RequestInit, path = '') =>
  fetch(inject('intake') + path, { method: 'POST', headers: JSON_TYPE, ...init });
const tell = async (...facts: object[]) => (await send({ body: JSON.stringify({ facts }) })).json();

const user = {
  kind: 'user',
  version: 1,
  id: 90_001,
  company_id: 'acme',
  email: 'fact@acme.test',
  name: 'Fay',
  avatar: '',
};

it('facts are applied, and a person of them is erased', async () => {
  const admin = { ...user, role: 'admin', license: 'active', password: PASSWORD };
  expect(await tell(admin, admin, { kind: 'nothing', version: 1 })).toMatchObject({
    results: [{ status: 'applied' }, { status: 'stale' }, { status: 'rejected', errors: [{ field: 'facts.2.kind' }] }],
  });
  expect((await login(user.email)).status).toBe(201);
  const erasure = { kind: 'user', version: 2, id: user.id, company_id: 'acme', erase: true };
  expect(await tell(erasure)).toMatchObject({ results: [{ status: 'applied' }] });
  expect((await login(user.email)).status).toBe(401);
});

it('a message that is none is told so', async () => {
  for (const body of ['', '{', '[]'])
    expect(await (await send({ body })).json()).toMatchObject({ errors: [{ field: 'facts' }] });
});

it('no page of another origin can send a fact, and no other path or method is there', async () => {
  const body = JSON.stringify({ facts: [user] });
  const refused = [
    send({ body, headers: { 'content-type': 'text/plain' } }),
    send({ body, headers: {} }),
    send({ body, headers: { ...JSON_TYPE, origin: 'https://other.example' } }),
    send({ method: 'PUT', body }),
    send({ method: 'OPTIONS', headers: { origin: 'https://other.example', 'access-control-request-method': 'POST' } }),
    send({ body }, '/'),
  ];
  for (const response of await Promise.all(refused)) {
    expect(response.status).toBe(404);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  }
});
