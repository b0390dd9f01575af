/** `logout`: ends the session on the service, and deletes it here even if the service fails. Costs milliseconds. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logout } from '../../../../bin/importer/command/commands/logout.ts';
import { SessionFile } from '../../../../bin/importer/command/session/session.ts';
import { freshFolder } from '../support/files.ts';
import { contextOf, recordedOutput } from '../support/output.ts';
import { serve, type Serving } from '../../../kit/serve.ts';

let folder: string;
let server: Serving;
let status: number;
let asked: string[];

beforeEach(async () => {
  folder = freshFolder();
  [status, asked] = [204, []];
  server = await serve((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(status).end();
  });
});
afterEach(() => server.stop());

async function loggedIn(): Promise<void> {
  const base_url = server.url;
  const file = new SessionFile(folder);
  file.begin({ base_url, auth_base_url: base_url, company_id: 'acme', email: 'a@acme.test' });
  await file.write({ access_token: 'token', refresh_token: 'r' });
}

async function run() {
  const output = recordedOutput();
  const code = await logout(contextOf(output, folder));
  const shown = [...output.results, ...output.notes].join('\n');
  return { code, shown, isKept: existsSync(join(folder, 'session.json')) };
}

describe('logout', () => {
  it.each([
    ['ends the session on the service', 204],
    ['takes a session that is over already as ended', 401],
  ])('%s, and deletes it from this machine', async (_, answered) => {
    status = answered;
    await loggedIn();
    expect(await run()).toEqual({ code: 0, shown: 'Logged out.', isKept: false });
    expect(asked).toEqual(['POST /api/v1/auth/logout Bearer token']);
  });

  it('logout reports that the service did not end the session, and still deletes it from this machine', async () => {
    status = 404;
    await loggedIn();
    const { code, shown, isKept } = await run();
    expect([code, isKept]).toEqual([3, false]);
    expect(shown).toContain('the service did not end it: HTTP 404.');
  });

  it('logout sends no request without a session', async () => {
    expect(await run()).toMatchObject({ code: 0, shown: 'You were not logged in.' });
    expect(asked).toEqual([]);
  });
});
