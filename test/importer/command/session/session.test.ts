/** The stored session: for its owner alone, complete, and shared between commands. Costs milliseconds. */
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../../../bin/importer/command/errors.ts';
import { TemporaryFolder } from '../../../../bin/importer/command/files/temporary.ts';
import { connect, SessionFile } from '../../../../bin/importer/command/session/session.ts';
import { standardOutput } from '../../../../bin/importer/command/terminal.ts';
import { freshFolder } from '../support/files.ts';

const LOGIN = { base_url: 'http://x', auth_base_url: 'http://x', company_id: 'acme', email: 'a@acme.test' };
const TOKENS = { access_token: 'a', refresh_token: 'r' };
let folder: string;

beforeEach(() => {
  folder = freshFolder();
});

describe('sessions', () => {
  it('only the owner can read the session file, and no draft is left', async () => {
    const file = new SessionFile(folder);
    file.begin(LOGIN);
    await file.write(TOKENS);
    expect((statSync(join(folder, 'session.json')).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(folder)).toEqual(['session.json']);
    expect(await new SessionFile(folder).read()).toEqual(TOKENS);
  });

  it('a logout removes the session file, and a later renewal does not bring it back', async () => {
    const file = new SessionFile(folder);
    file.begin(LOGIN);
    file.forget();
    await file.write(TOKENS);
    expect(file.login()).toBeUndefined();
  });

  it.each(['{"base_url":', '{"base_url":"http://x"}'])('a damaged session file counts as absent: %s', (text) => {
    writeFileSync(join(folder, 'session.json'), text);
    expect(new SessionFile(folder).login()).toBeUndefined();
  });

  it('one command at a time renews the session, and a killed one does not block the next', async () => {
    const order: string[] = [];
    const step = (name: string) =>
      new SessionFile(folder).exclusively(async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
      });
    await Promise.all([step('first'), step('second')]);
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);

    writeFileSync(join(folder, 'session.lock'), '');
    utimesSync(join(folder, 'session.lock'), 0, 0);
    await step('third');
    expect(order.at(-1)).toBe('third ends');
  });

  it('a session file in a folder that does not exist is an error', async () => {
    const step = new SessionFile(join(folder, 'nowhere')).exclusively(async () => 1);
    await expect(step).rejects.toBeInstanceOf(UsageError);
  });
});

describe('the first call', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('waits 8 s for a service that takes the connection and never answers, and later calls longer', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    vi.stubGlobal('fetch', async () => Response.json({ courses: [], next_cursor: null }));
    const file = new SessionFile(folder);
    file.begin(LOGIN);
    await file.write(TOKENS);
    const { client } = await connect({ output: standardOutput(false), folder, spool: new TemporaryFolder() });
    await client.listCourses({ limit: 1 });
    expect(timeout.mock.calls).toEqual([[8000], [60_000]]);
  });
});
