/** The function bundles: their content and their files. With AT_LENGTH=1, costs a build beside that of the local stack. */
import { cpSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildFunctions, bundleSandboxData } from '../../bin/build/build.ts';
import { BOM_FILE, NOTICES_FILE } from '../../bin/build/notices.ts';
import { builtStack } from '../../bin/local/built-stack.ts';
import document from '../../docs/openapi.json' with { type: 'json' };
import type { ApiHandler } from '../../functions/http/chain.ts';
import { functionSources } from '../../lib/function-sources.ts';
import { grantsOf } from '../../lib/functions/grants.ts';
import { invoke } from '../kit/api-event.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

describe('the built functions', () => {
  const outputs = temporaryFolder('migration-build');
  let folder: string;
  beforeAll(async () => {
    folder = (await builtStack()).bundles;
  });

  const code = (name: string): string => readFileSync(join(folder, name, 'index.mjs'), 'utf8');

  it('the functions are complete, and each folder holds only the bundle, its notices and its list of packages, and the page its files: source maps are not deployed', () => {
    expect(readdirSync(folder).toSorted()).toEqual([...functionSources().keys()].toSorted());
    for (const name of functionSources().keys())
      expect(readdirSync(join(folder, name)).toSorted()).toEqual(
        [NOTICES_FILE, 'index.mjs', BOM_FILE, ...(name === 'serve-page' ? ['site.json'] : [])].toSorted(),
      );
  });

  it.each([...functionSources().keys()])('the bundle of %s contains a client only of what it may call', (name) => {
    const { signs, attests, sendsChunks, sendsFacts, sendsEvents, ...reads } = grantsOf(name);
    const clients = ['TrentService', 'AmazonSQS', 'AWSEvents', 'AmazonSSM'].map((client) =>
      code(name).includes(client),
    );
    expect(clients).toEqual(
      [signs ?? attests, sendsChunks ?? sendsFacts, sendsEvents, reads.readsSettings ?? reads.readsClientSecret].map(
        (may) => may === true,
      ),
    );
  });

  it('the notices of a function are those of the packages that its bundle contains', () => {
    const notices = (name: string) => readFileSync(join(folder, name, NOTICES_FILE), 'utf8');
    expect(notices('login')).toMatch(/^@aws-sdk\/client-kms \d.*\(Apache-2\.0\)$/m);
    expect(notices('login')).toContain('Apache License');
    expect(notices('get-openapi')).not.toContain('client-kms');
  });

  it('functions read their credentials from the environment, where Lambda passes them', () => {
    expect(code('login')).not.toContain('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
  });

  it.each(['start-import', 'login', 'process-chunk'])(
    'the bundle of %s contains no event streams and no endpoint discovery',
    (name) => {
      expect(code(name)).not.toMatch(/application\/vnd\.amazon\.eventstream|AWS_ENABLE_ENDPOINT_DISCOVERY/);
    },
  );

  it('functions verify tokens only if a caller sends one', () => {
    const verifies = (name: string) => code(name).includes('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
    expect(['get-import', 'refresh-token'].map(verifies)).toEqual([true, true]);
    expect(['process-chunk', 'watchdog', 'get-jwks'].map(verifies)).toEqual([false, false, false]);
  });

  it('the compressed OpenAPI document is served unchanged', async () => {
    const bundle = pathToFileURL(join(folder, 'get-openapi', 'index.mjs')).href;
    const { handler } = (await import(bundle)) as { handler: ApiHandler };
    expect(await invoke(handler)).toMatchObject({ status: 200, body: document });
  });

  it.runIf(AT_LENGTH)(
    'another build makes the same bundles, wherever it does, and writes none again: another synthesis may be reading them',
    async () => {
      const copy = join(outputs, 'functions');
      cpSync(folder, copy, { recursive: true });
      const filesIn = () =>
        [...functionSources().keys()].map((name) => {
          const file = join(copy, name, 'index.mjs');
          return { name, written: statSync(file).mtimeMs, isSame: readFileSync(file, 'utf8') === code(name) };
        });
      const before = filesIn();
      await buildFunctions({ outputs });
      expect(filesIn()).toEqual(before);
      expect(before.filter(({ isSame }) => !isSame)).toEqual([]);
      expect(readdirSync(join(outputs, 'source-maps'))).toContain('login.mjs.map');
    },
    120_000,
  );

  it('each data file has one folder and hash', async () => {
    const loader = join(folder, 'load-sandbox-data');
    const [first, second] = [
      await bundleSandboxData(loader, Buffer.from('{}'), outputs),
      await bundleSandboxData(loader, Buffer.from('{ }'), outputs),
    ];
    expect(first.fileHash).not.toBe(second.fileHash);
    expect(readdirSync(first.folder).toSorted()).toEqual(['index.mjs', 'sandbox-data.json']);
    expect(readFileSync(join(second.folder, 'sandbox-data.json'), 'utf8')).toBe('{ }');
  });
});
