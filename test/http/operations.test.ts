/** Operations that need a caller or an import. Over the store in memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { openSession } from '../../functions/auth/sessions.ts';
import { importOf, importOperation } from '../../functions/http/operations.ts';
import { importItem } from '../dynamodb/samples.ts';
import { invoke } from '../kit/api-event.ts';
import { useAuthServices } from '../kit/auth-services.ts';

const setting = useAuthServices();

describe('an import operation', () => {
  const IMPORT_ID = 'abcdefghijklmnopqrstuvwxyz';
  const call = async () => {
    const { services, clock, admin } = setting();
    const { access_token } = await openSession(services, admin, clock.now);
    const handler = importOperation(
      () => ({ stores: {} }),
      async (request) => ({ statusCode: 200, body: { import_id: importOf(request).import_id } }),
    ).on(services);
    const path = { company_id: 'acme', import_id: IMPORT_ID };
    return invoke(handler, { path, headers: { authorization: `Bearer ${access_token}` } });
  };

  it('an import operation receives the import that the path names', async () => {
    setting().memory.imports.set(IMPORT_ID, importItem('acme', { import_id: IMPORT_ID }));
    expect(await call()).toMatchObject({ status: 200, body: { import_id: IMPORT_ID } });
  });

  it('an import operation does not run if the company has no such import', async () => {
    expect(await call()).toMatchObject({ status: 404, body: { errors: [{ error_code: 'import_not_found' }] } });
  });
});
