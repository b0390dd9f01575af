/** The packed package alone, and a stranger's package of its name. Costs about half a minute: npm fetches Node 20. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { BOM_FILE, NOTICES_FILE } from '../../../../bin/build/notices.ts';
import packageFile from '../../../../package.json' with { type: 'json' };
import { copyOfSources, deleteFreshFolders } from '../support/files.ts';
import { workbookOf, textRow } from '../support/workbook.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';
import { serve } from '../../../kit/serve.ts';

const PROJECT = resolve(import.meta.dirname, '../../../..');
const NAME = 'course-progress-migration';
/** Holds Node for this machine. */
const PROGRAM = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const { version } = packageFile;
const folder = temporaryFolder('migration-package');
/** Beside others that run the command of the clone meanwhile. */
const copy = copyOfSources();
afterAll(deleteFreshFolders);

const APP = `import { App, Stack } from 'aws-cdk-lib/core';
import { Template } from 'aws-cdk-lib/assertions';
import { MigrationService } from 'course-progress-migration/cdk';

const app = new App();
const stack = new Stack(app, 'Learning', { stackName: 'course-progress-migration-acme-sandbox' });
const service = new MigrationService(stack, 'Migration', {
  settings: { company: 'acme', stage: 'sandbox' },
});
const url: string = service.baseUrl;
const template = Template.fromStack(stack);
const tables = Object.keys(template.findResources('AWS::DynamoDB::GlobalTable')).length;
const [version] = Object.values(template.findOutputs('*', { Description: 'The version of the service' }));
console.log(JSON.stringify({ url, tables, version: version?.Value }));
`;

describe('packed package', () => {
  it('the package cannot be made before its build', () => {
    expect(spawnSync('npm', ['pack', './dist', '--pack-destination', folder], { cwd: copy }).status).not.toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('the package has the command, client and construct with types, the functions, the notices, and nothing of the project around them', () => {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: copy, stdio: 'pipe' });
    execFileSync('npm', ['pack', './dist', '--pack-destination', folder], { cwd: copy, stdio: 'pipe' });
    execFileSync('tar', ['xzf', packed()], { cwd: folder });
    const files = [NOTICES_FILE, 'cdk.js', 'cli.js', 'client.js', 'functions', 'package.json', BOM_FILE, 'types'];
    expect(readdirSync(join(folder, 'package')).toSorted()).toEqual(files);
    const notices = readFileSync(join(folder, 'package', NOTICES_FILE), 'utf8');
    for (const notice of [
      /^commander \d.*\(MIT/m,
      /^saxes \d.*\(ISC/m,
      /^valibot \d.*\(MIT/m,
      /Permission is hereby granted/,
    ])
      expect(notices).toMatch(notice);
    const { components } = JSON.parse(readFileSync(join(folder, 'package', BOM_FILE), 'utf8')) as {
      components: object[];
    };
    expect(components).toContainEqual(
      expect.objectContaining({ purl: expect.stringMatching(/^pkg:npm\/commander@\d/) }),
    );
    const modules = installed(packed());
    expect(readdirSync(join(modules, '.bin'))).toEqual([NAME]);
    expect(spawnSync(join(modules, '.bin', NAME), ['--version'], { encoding: 'utf8' }).stdout).toBe(`${version}\n`);
    const types = readFileSync(join(modules, NAME, 'types/bin/importer/client/index.d.ts'), 'utf8');
    expect(types).toContain('MigrationClient');
  });

  it('an app of fifteen lines in another project has the service, by its types too', () => {
    const modules = installed(packed());
    for (const name of ['aws-cdk-lib', 'constructs', '@types'])
      symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name));
    const own = join(modules, '..');
    writeFileSync(join(own, 'app.mts'), APP);
    const options = ['--module', 'nodenext', '--strict', '--noEmit', '--skipLibCheck', 'false', '--types', 'node'];
    const compiler = join(PROJECT, 'node_modules/typescript/bin/tsc');
    const checked = spawnSync(process.execPath, [compiler, ...options, 'app.mts'], { cwd: own, encoding: 'utf8' });
    expect(checked.stdout).toBe('');
    const { stdout, stderr } = spawnSync(process.execPath, ['app.mts'], { cwd: own, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ tables: 1, version });
  });

  const packed = (): string => join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  const installed = (spec: string): string => {
    const own = mkdtempSync(join(folder, 'installed-'));
    writeFileSync(join(own, 'package.json'), '{}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', spec], { cwd: own, stdio: 'pipe' });
    return join(own, 'node_modules');
  };
  const node20 = (): string => join(installed(`${PROGRAM}@20.20.2`), '.bin/node');

  it.each([
    ['this Node', () => process.execPath],
    ['Node 20', node20],
  ])('the package runs under %s without any other package, and reads Excel workbooks', (_, node) => {
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
      [join(folder, 'package/cli.js'), 'init-mapping', 'history.xlsx', '--json'],
      { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder } },
    );
    expect(`${stdout}${stderr}`).toContain('"progress.completion_pct": "between"');
  });
});

describe('npx --no-install', () => {
  it('npx --no-install runs the command of the clone, and never a package of that name from a registry', async () => {
    const asked: string[] = [];
    const registry = await serve(({ url = '', headers }, response) => {
      asked.push(url);
      const dist = { tarball: `http://${headers.host}/x.tgz` };
      const stranger = { name: NAME, version: '9.9.9', bin: { [NAME]: 'x.js' }, dist };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name: NAME, 'dist-tags': { latest: '9.9.9' }, versions: { '9.9.9': stranger } }));
    });
    const run = async (cwd: string): Promise<string> => {
      // `npm run --silent` passes its silence on.
      const own = { registry: registry.url, cache: join(folder, 'cache'), loglevel: 'error' };
      const options = Object.entries(own).map(([name, value]) => [`npm_config_${name}`, value]);
      const env = { ...process.env, ...Object.fromEntries(options) };
      const child = spawn('npx', ['--no-install', NAME, '--version'], { cwd, env });
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return out + errors;
    };
    expect(await run(PROJECT)).toContain(version);
    expect(asked).toEqual([]);
    writeFileSync(join(folder, 'package.json'), '{}');
    expect(await run(folder)).toContain('canceled due to missing packages');
    expect(asked.filter((url) => url.endsWith('.tgz'))).toEqual([]);
    registry.stop();
  });
});
