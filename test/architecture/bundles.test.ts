/** Each bundle has the code of `functions` that its function reaches, and no more. Costs half a second. */
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { functionSources } from '../../lib/function-sources.ts';
import { ROUTES } from '../../functions/shared/routes.ts';

const ROOT = join(import.meta.dirname, '../..');

const { metafile } = await build({
  entryPoints: [...functionSources()].map(([name, file]) => ({ in: join(ROOT, file), out: `${name}/index` })),
  absWorkingDir: ROOT,
  outdir: join(ROOT, '.build'),
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  packages: 'external',
  loader: { '.json': 'empty' },
  metafile: true,
  write: false,
});

/** Bytes of each file of `functions` that is in a bundle, by function. */
const own = new Map(
  Object.entries(metafile.outputs).map(([path, { inputs }]) => [
    basename(dirname(path)),
    Object.entries(inputs)
      .filter(([file, { bytesInOutput }]) => file.startsWith('functions/') && bytesInOutput > 0)
      .map(([file, { bytesInOutput }]) => ({ folder: file.split('/')[1] ?? '', bytes: bytesInOutput })),
  ]),
);
const filesOf = (name: string) => own.get(name) ?? [];
const bytesOf = (name: string) => filesOf(name).reduce((sum, { bytes }) => sum + bytes, 0);

const LONG_JOBS = ['imports', 'jobs', 'reverts', 'erasure', 'platform'];

/** A route of progress reaches `imports`, where progress is stored; of the other long jobs none, unless it is named. */
const OF_RUNS = [
  'list-runs',
  'get-run',
  'put-run',
  'delete-run',
  'list-run-records',
  'make-plan',
  'get-plan',
  'delete-plan',
  'approve-plan',
  'apply-plan',
  'list-plan-records',
];
const REACHES_MORE: Readonly<Record<string, readonly string[]>> = {
  // A run has a plan, which is applied in steps.
  ...Object.fromEntries(OF_RUNS.map((name) => [name, ['jobs']])),
  'start-import': ['jobs'],
  'cancel-import': ['jobs'],
  'cancel-run': ['jobs'],
  'sign-evidence': ['jobs', 'reverts'],
  'get-revert': ['jobs', 'reverts'],
  'revert-import': ['jobs', 'reverts'],
  'get-run-revert': ['jobs', 'reverts'],
  'revert-run': ['jobs', 'reverts'],
};

it.each(ROUTES)('the bundle of $name has no code of a long job that it does not reach', ({ name, path }) => {
  const folders = new Set(filesOf(name).map(({ folder }) => folder));
  expect(folders.size).toBeGreaterThan(0);
  const reached = [...(path.includes('/progress/') ? ['imports'] : []), ...(REACHES_MORE[name] ?? [])];
  expect(LONG_JOBS.filter((folder) => folders.has(folder))).toEqual(reached);
});

/** Files and bytes of `functions` in a bundle. */
it.each([
  ['get-jwks', 28, 15_500],
  ['login', 39, 40_500],
  ['get-profile', 39, 24_400],
  ['get-import', 47, 36_400],
  ['start-import', 90, 105_700],
])('the bundle of %s has at most %i files and %i bytes of functions', (name, files, bytes) => {
  expect(filesOf(name).length).toBeLessThanOrEqual(files);
  expect(bytesOf(name)).toBeLessThanOrEqual(bytes);
});
