import { ROUTES } from '../../../lib/routes.ts';
import { OWN } from '../support/data.ts';
import type { Target } from '../support/target.ts';
import { type Known, validRequest } from './ask.ts';
import { validToken } from './token-class.ts';

/** Starts an import of the own company, of the document's own example. The caller sees to it that it is processed. */
export async function importedRecord(target: Target): Promise<Known> {
  const route = ROUTES.find(({ name }) => name === 'start-import');
  if (route === undefined) throw new Error('there is no start-import');
  const request = validRequest(route, { import_id: '', external_record_id: '' }, OWN);
  const authorization = `Bearer ${await validToken(target, 'access')}`;
  const body = JSON.stringify({ ...(JSON.parse(String(request.body)) as object), dry_run: false });
  const { text } = await target.send({ ...request, body, headers: { ...request.headers, authorization } });
  const { import_id } = JSON.parse(text) as { import_id?: string };
  if (import_id === undefined) throw new Error(`no import was started: ${text}`);
  return { import_id, external_record_id: 'r-1' };
}
