/** The imports between folders are those of the picture in docs/architecture.md. Reads the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The folders of `functions`, in their order: each may import itself and those above it, type imports included. */
const ORDER = [
  'shared',
  'runtime',
  'records',
  'dynamodb',
  'catalog',
  'auth',
  'jobs',
  'imports',
  'plans',
  'runs',
  'evidence',
  'reverts',
  'erasure',
  'platform',
  'notices',
  'http',
  'handlers',
];

/** The rooms of the importer's engine, in the order of the data: each may import itself and those above it. */
const ENGINE_ORDER = [
  'ground',
  'lexicon',
  'dates',
  'read',
  'language',
  'profile',
  'apply',
  'match',
  'decide',
  'run',
  'evidence',
];

/** The packages that these folders may import; the others may import any package but the DynamoDB client. */
const PACKAGES: Record<string, RegExp> = {
  shared: /^valibot$/,
  records: /^valibot$/,
  dynamodb: /^@aws-sdk\/(client|lib|util)-dynamodb$|^node:(async_hooks|zlib|crypto|buffer|util|timers.*)$/,
};
const ANYTHING_BUT_DYNAMODB = /^(?!@aws-sdk\/(client|lib|util)-dynamodb)/;
const LIB_MAY_IMPORT =
  /^package\.json$|^lib\/|^functions\/(shared|records|runtime|dynamodb|catalog|auth|imports|http)\/|^(aws-cdk-lib|constructs|cdk-nag|esbuild|valibot|@valibot|node:)/;

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file));
}

function importsOf(file: string): string[] {
  const specifiers = readFileSync(join(ROOT, file), 'utf8').matchAll(
    /^(?:import|export|\}).*?from '([^']+)'|import\('([^']+)'\)|^import '([^']+)'/gm,
  );
  return [...specifiers]
    .map(([, ...groups]) => groups.find((group) => group !== undefined) ?? '')
    .map((specifier) => (specifier.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), specifier)) : specifier));
}

const folderOf = (file: string): string => file.split('/')[1] ?? '';
const FUNCTIONS = sourcesIn('functions');
const ENGINE = sourcesIn('bin/importer/engine');
const GRAPH = new Map(FUNCTIONS.map((file) => [file, importsOf(file)]));

it('the table of layers has every folder of functions', () => {
  expect([...new Set(FUNCTIONS.map(folderOf))].toSorted()).toEqual(ORDER.toSorted());
});

it.each([
  ['the folders of functions', 'In `functions`, a folder is a feature', ORDER],
  ['the rooms of the engine', 'The rooms of the engine', ENGINE_ORDER],
])('docs/architecture.md lists %s in their order', (_, start, order) => {
  const [, below = ''] = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').split(start);
  const [, table = ''] = below.split('\n\n');
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, folder]) => folder)).toEqual(order);
});

it.each([
  ['bin', 'bin/'],
  ['test', ''],
])('docs/architecture.md names every folder of %s', (parent, prefix) => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const folders = readdirSync(join(ROOT, parent), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  // The tests of a folder have its name.
  const named = folders.filter(({ name }) => page.includes(`\`${prefix}${name}\``) || page.includes(`\`bin/${name}\``));
  expect(folders.map(({ name }) => name)).toEqual(named.map(({ name }) => name));
});

it.each(FUNCTIONS)('%s imports only its own folder and those above it', (file) => {
  const above = new Set(ORDER.slice(0, ORDER.indexOf(folderOf(file)) + 1));
  const inside = (GRAPH.get(file) ?? []).filter((imported) => imported.startsWith('functions/'));
  expect(inside.filter((imported) => !above.has(folderOf(imported)))).toEqual([]);
});

/** The imports of a file of the engine that are of a room below its own. */
const upwardIn = (file: string, imports: readonly string[]): string[] => {
  const roomOf = (path: string): number => ENGINE_ORDER.indexOf(path.split('/')[3] ?? '');
  const rooms = imports.filter((imported) => imported.startsWith('bin/importer/engine/'));
  return rooms.filter((imported) => roomOf(imported) > roomOf(file));
};

describe('the engine of the importer', () => {
  it('has no file and no room outside the order', () => {
    expect([...new Set(ENGINE.map((file) => file.split('/')[3] ?? ''))].toSorted()).toEqual(ENGINE_ORDER.toSorted());
  });

  it.each(ENGINE)('%s imports only its own room and those above it', (file) => {
    expect(upwardIn(file, importsOf(file))).toEqual([]);
  });

  it('an import against the order would be found', () => {
    const planted = 'bin/importer/engine/decide/find.ts';
    expect(upwardIn('bin/importer/engine/profile/table.ts', [planted])).toEqual([planted]);
  });
});

it.each(FUNCTIONS)('%s imports only the packages allowed for its folder', (file) => {
  const folder = folderOf(file);
  const outside = (GRAPH.get(file) ?? []).filter((imported) => !imported.startsWith('functions/'));
  const allowed = PACKAGES[folder] ?? ANYTHING_BUT_DYNAMODB;
  expect(outside.filter((imported) => !allowed.test(imported))).toEqual([]);
});

it('no file of functions imports itself over others', () => {
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (finished.has(file)) return [];
    const cycle = (GRAPH.get(file) ?? []).flatMap((imported) => visit(imported, [...path, file]));
    finished.add(file);
    return cycle;
  };
  expect(FUNCTIONS.flatMap((file) => visit(file, []))).toEqual([]);
});

it('functions holds at most 165 files beside its handlers, all of at most 300 lines, of 70 to 130 lines in the middle', () => {
  const lines = FUNCTIONS.map((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1).toSorted(
    (a, b) => a - b,
  );
  expect(FUNCTIONS.filter((file) => folderOf(file) !== 'handlers').length).toBeLessThanOrEqual(165);
  expect(lines.at(-1)).toBeLessThanOrEqual(300);
  const median = lines[Math.floor(lines.length / 2)];
  expect(median).toBeGreaterThanOrEqual(70);
  expect(median).toBeLessThanOrEqual(130);
});

describe('an import knows little of the other long jobs', () => {
  const mentioning = (folder: string, word: RegExp) =>
    sourcesIn(`functions/${folder}`).filter((file) => word.test(readFileSync(join(ROOT, file), 'utf8')));

  it('an import mentions only the gate and the reliances of reverts: in at most 5 files', () => {
    expect(mentioning('imports', /revert/i).length).toBeLessThanOrEqual(5);
  });

  it('no file of imports mentions an erasure', () => {
    expect(mentioning('imports', /eras/i)).toEqual([]);
  });
});

it.each(sourcesIn('lib'))('%s imports only the folders and packages allowed for lib', (file) => {
  expect(importsOf(file).filter((imported) => !LIB_MAY_IMPORT.test(imported))).toEqual([]);
});

describe('the importer', () => {
  /** Each folder of the importer, and what it may import of the others. */
  const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
    wire: /^bin\/importer\/wire\/|^functions\/(shared|records|catalog)\/|^lib\/openapi\//,
    engine: /^bin\/importer\/(wire|engine)\//,
    client: /^bin\/importer\/(wire|engine|client)\//,
    systems: /^bin\/importer\/(engine|systems)\//,
    texts: /^bin\/importer\/(engine|texts)\//,
    page: /^bin\/importer\/(wire|engine|client|systems|texts|page)\//,
    command: /^bin\/importer\/(wire|engine|client|systems|texts|command)\/|^package\.json$/,
  };
  const ofImporter = Object.keys(MAY_IMPORT).flatMap((folder) => sourcesIn(`bin/importer/${folder}`));
  const isOurs = (imported: string): boolean => /^(bin|functions|lib|test)\/|\.json$/.test(imported);

  it.each(ofImporter)('%s imports only what its folder may', (file) => {
    const allowed = MAY_IMPORT[file.split('/')[2] ?? ''] ?? /^$/;
    const others = importsOf(file).filter((imported) => isOurs(imported) && !allowed.test(imported));
    expect(others.filter((imported) => dirname(imported) !== dirname(file))).toEqual([]);
  });

  it('has at most fourteen imports of the service, all for the wire', () => {
    const imported = ofImporter.flatMap((file) => importsOf(file).filter((name) => /^(functions|lib)\//.test(name)));
    expect(imported.length).toBeLessThanOrEqual(14);
  });

  it('bin holds at most six folders', () => {
    const folders = readdirSync(join(ROOT, 'bin'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.length).toBeLessThanOrEqual(6);
  });
});

/** Time and randomness arrive as arguments; only these adapters ask the machine for them. */
const ADAPTERS = new Set(['functions/runtime/system.ts', 'functions/dynamodb/client.ts']);
const AMBIENT = [
  /\bDate\.now\b/,
  /\bnew Date(?!\()/,
  /\bDate\(\)/,
  /\bTemporal\b/,
  /\bMath\.random\b/,
  /\brandom(UUID|Bytes|Int|FillSync)\b/,
  /\bgetRandomValues\b/,
  /\bperformance\b/,
  /\bhrtime\b|\buptime\(/,
  /\bset(Timeout|Interval|Immediate)\b/,
];

const ambientIn = (source: string): string[] => {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return AMBIENT.flatMap((pattern) => pattern.exec(code)?.[0] ?? []);
};

describe('clock and randomness', () => {
  it.each([...FUNCTIONS, ...sourcesIn('bin/importer/engine')].filter((file) => !ADAPTERS.has(file)))(
    '%s takes clock and randomness as arguments',
    (file) => {
      expect(ambientIn(readFileSync(join(ROOT, file), 'utf8'))).toEqual([]);
    },
  );

  const CALLS = ['Date.now()', 'new Date()', 'new Date', 'Date()', 'Temporal.Now.instant()', 'Math.random()'];
  CALLS.push('crypto.randomUUID()', 'crypto.getRandomValues(bytes)', 'performance.now()', 'process.hrtime.bigint()');
  it.each([...CALLS, 'setTimeout(run, 5)'])('a call of %s would be found', (code) => {
    expect(ambientIn(`export const x = () => ${code};`)).not.toEqual([]);
  });

  it('a date that is given, and a word in a comment, are not found', () => {
    expect(ambientIn('new Date(ms).toISOString(); // Date.now() is not asked')).toEqual([]);
  });
});
