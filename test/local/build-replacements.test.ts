/** What the build puts in place of code that never runs; the bundles themselves are asked. Costs one build. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFunctions } from '../../bin/build.ts';
import document from '../../docs/openapi.json' with { type: 'json' };
import type { ApiHandler } from '../../functions/http/handler.ts';
import { invoke } from '../support/api-event.ts';

describe('the replacements of the build', () => {
  const outputs = mkdtempSync(join(tmpdir(), 'migration-replacements-'));
  let folder: string;
  beforeAll(async () => {
    folder = await buildFunctions({ outputs });
  });
  afterAll(() => rmSync(outputs, { recursive: true }));

  const bundle = (name: string): string => join(folder, name, 'index.mjs');

  it.each(['start-import', 'login', 'process-chunk'])('leave no event streams and no endpoint cache in %s', (name) => {
    const code = readFileSync(bundle(name), 'utf8');
    expect(code).not.toMatch(/application\/vnd\.amazon\.eventstream|AWS_ENABLE_ENDPOINT_DISCOVERY/);
  });

  it.each(['start-import', 'login', 'process-chunk'])('leave what is for other platforms out of %s', (name) => {
    const [hashes, machines, rateLimiter] = [/finished HMAC/, /latest\/meta-data/, /lastThrottleTime/];
    for (const foreign of [hashes, machines, rateLimiter])
      expect(readFileSync(bundle(name), 'utf8')).not.toMatch(foreign);
  });

  it('leave token verification out of what is not called with tokens', () => {
    const verifies = (name: string) =>
      readFileSync(bundle(name), 'utf8').includes('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
    expect(['get-import', 'refresh-token'].map(verifies)).toEqual([true, true]);
    expect(['process-chunk', 'watchdog', 'get-jwks'].map(verifies)).toEqual([false, false, false]);
  });

  it('keep the compressed document what it was', async () => {
    const { handler } = (await import(pathToFileURL(bundle('get-openapi')).href)) as { handler: ApiHandler };
    expect(await invoke(handler)).toMatchObject({ status: 200, body: document });
  });
});
