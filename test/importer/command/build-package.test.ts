/** The build of the package from copied sources: `npm run test:long`, three builds. See heavy/package.heavy.ts too. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, globSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentsOf } from '../../../bin/build/documents.ts';
import { AT_LENGTH } from '../../kit/at-length.ts';
import { copyOfSources } from './support/files.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');

const build = (project: string) =>
  spawnSync(process.execPath, [join(project, 'bin/build/package.ts')], { encoding: 'utf8' });

it.runIf(AT_LENGTH)('the build fails if the types of the client do not compile', () => {
  const copy = copyOfSources();
  appendFileSync(join(copy, 'bin/importer/client/index.ts'), "export const port: number = 'three thousand';\n");
  const { status, stdout, stderr } = build(copy);
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain('TS2322');
});

describe('the command in a clone', () => {
  const start = (project: string) => {
    const command = join(project, 'bin/course-progress-migration.mjs');
    const { stdout, stderr } = spawnSync(process.execPath, [command, '--version'], { encoding: 'utf8' });
    return { stdout, stderr };
  };

  it.runIf(AT_LENGTH)('the command is built when it is first started after an installation, and then no more', () => {
    const copy = copyOfSources();
    const built = { stdout: '1.0.0\n', stderr: 'Building the command, once after "npm ci" …\n' };
    expect(start(copy)).toEqual(built);
    expect(start(copy)).toEqual({ ...built, stderr: '' });
    utimesSync(join(copy, 'dist/cli.js'), 0, 0);
    expect(start(copy)).toEqual(built);
  });

  it('the command says what to do if nothing is installed', () => {
    const copy = copyOfSources();
    rmSync(join(copy, 'node_modules'));
    const { stdout, stderr } = start(copy);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^The command has not been built yet\. Run "npm ci" [^\n]*\n$/);
  });
});

it('the package has the documents for its users, and a list of them that an assistant reads first', () => {
  const files = new Map(documentsOf(PROJECT, { name: 'tool', description: 'What it does.' }));
  const llms = files.get('llms.txt') ?? '';
  expect(llms).toMatch(/^# tool\n\n> What it does\.\n\n## Documents\n\n- \[\w+\.md\]\(docs\/\w+\.md\): \S/);
  const listed = [...llms.matchAll(/\]\((.*)\)/g)].map(([, path]) => path);
  expect(listed).toEqual(expect.arrayContaining(['docs/agents.md', 'docs/cli.md', 'docs/openapi.json']));
  expect([...files.keys()]).toEqual(['llms.txt', ...listed]);
  expect(files.get('docs/agents.md')).toBe(readFileSync(join(PROJECT, 'docs/agents.md'), 'utf8'));
});

it('documents and messages call the command so that npx runs it from the clone, never a package of that name from a registry', () => {
  const files = globSync(['README.md', 'docs/*.md', 'bin/**/*.ts'], { cwd: PROJECT });
  const open = files.filter((file) =>
    /npx (?!--no-install )\S*course-progress/.test(readFileSync(join(PROJECT, file), 'utf8')),
  );
  expect(open).toEqual([]);
});
