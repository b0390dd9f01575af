/** The packed package on its own, and a stranger's package of its name. Costs about half a minute: npm fetches Node 20. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workbookOf, textRow } from '../support/workbook.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const NAME = 'course-progress-migration';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'migration-package-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('packed package', () => {
  const node20 = (): string => {
    const own = join(folder, 'node20');
    mkdirSync(own);
    writeFileSync(join(own, 'package.json'), '{}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', 'node@20.20.2'], { cwd: own, stdio: 'pipe' });
    return join(own, 'node_modules/.bin/node');
  };

  it.each([
    ['this Node', () => process.execPath],
    ['Node 20', node20],
  ])('the package runs under %s without any other package, and reads Excel workbooks', (_, node) => {
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: PROJECT, stdio: 'pipe' });
    const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    execFileSync('tar', ['xzf', packed], { cwd: folder });
    const header = textRow(1, [
      'external_record_id',
      'user.email',
      'content.platform_course_id',
      'progress.completion_pct',
    ]);
    writeFileSync(
      join(folder, 'history.xlsx'),
      workbookOf({ sheets: { One: header + textRow(2, ['r-1', 'a@x.test', '101', '50']) } }),
    );
    const { stdout, stderr } = spawnSync(
      node(),
      [join(folder, 'package/dist/cli.js'), 'import', 'history.xlsx', '--preview', '1', '--json'],
      { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder } },
    );
    expect(`${stdout}${stderr}`).toContain('"completion_pct": 50');
  });
});

describe('npx --no-install', () => {
  it('npx --no-install runs the command of the clone, and never a package of that name from a registry', async () => {
    const asked: string[] = [];
    const registry = createServer(({ url = '' }, response) => {
      asked.push(url);
      const version = {
        name: NAME,
        version: '9.9.9',
        bin: { [NAME]: 'x.js' },
        dist: { tarball: `${address()}/x.tgz` },
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name: NAME, 'dist-tags': { latest: '9.9.9' }, versions: { '9.9.9': version } }));
    }).listen(0, '127.0.0.1');
    const address = (): string => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    await once(registry, 'listening');
    const run = async (cwd: string): Promise<string> => {
      const env = { ...process.env, npm_config_registry: address(), npm_config_cache: join(folder, 'cache') };
      const child = spawn('npx', ['--no-install', NAME, '--version'], { cwd, env });
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return out + errors;
    };
    const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
    expect(await run(PROJECT)).toContain(version);
    expect(asked).toEqual([]);
    writeFileSync(join(folder, 'package.json'), '{}');
    expect(await run(folder)).toContain('canceled due to missing packages');
    expect(asked.filter((url) => url.endsWith('.tgz'))).toEqual([]);
    registry.close();
  });
});
