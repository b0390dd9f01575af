/** Holds the folders to the picture in docs/architecture.md: who may import whom. Reads the sources; costs milliseconds. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Folder → what its files may import: other folders (by prefix) and packages. */
const MAY_IMPORT: Record<string, readonly RegExp[]> = {
  'functions/domain': [/^functions\/domain\//, /^valibot$/, /^@valibot\/to-json-schema$/],
  'functions/store': [
    /^functions\/(store|domain)\//,
    /^functions\/workflow\/(ports|ports\/.*)\.ts$/,
    /^functions\/runtime\/environment\.ts$/,
    /^@aws-sdk\//,
    /^node:(async_hooks|zlib|crypto|buffer|util|timers.*)$/,
  ],
  'functions/workflow': [/^functions\/(workflow|domain)\//, /^node:(crypto|util)$/, /^jose$/],
  'functions/runtime': [
    /^functions\/(runtime|domain|store|workflow)\//,
    /^node:/,
    /^(@aws-sdk|@middy|@aws-lambda-powertools|jose|aws-lambda|valibot)/,
  ],
  'functions/api': [/^functions\/(runtime|workflow|domain)\//, /^docs\/openapi\.json$/],
  'functions/queue': [
    /^functions\/(runtime|workflow|domain)\//,
    /^functions\/store\/tenancy\.ts$/,
    /^@aws-lambda-powertools\/batch/,
    /^aws-lambda$/,
  ],
  'functions/schedule': [/^functions\/(runtime|workflow|domain)\//, /^aws-lambda$/],
  'functions/deploy': [/^functions\/(runtime|workflow|domain)\//, /^aws-lambda$/, /^node:/],
  lib: [
    /^lib\//,
    /^functions\/runtime\/(environment|metric-names)\.ts$/,
    /^(aws-cdk-lib|constructs|cdk-nag|esbuild|node:)/,
  ],
};

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
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

describe.each(Object.entries(MAY_IMPORT))('%s', (folder, allowed) => {
  it.each(sourcesIn(folder))('%s imports only what its layer may know', (file) => {
    const strangers = importsOf(file).filter((imported) => !allowed.some((pattern) => pattern.test(imported)));
    expect(strangers).toEqual([]);
  });
});

/** Time and randomness arrive as arguments; only these adapters ask the machine for them. */
const ADAPTERS = new Set(['functions/runtime/live-system.ts', 'functions/store/client.ts']);
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
  const sources = ['domain', 'store', 'workflow', 'runtime', 'api', 'queue', 'schedule', 'deploy'].flatMap((layer) =>
    sourcesIn(`functions/${layer}`),
  );
  it.each(sources.filter((file) => !ADAPTERS.has(file)))('%s takes them as arguments', (file) => {
    expect(ambientIn(readFileSync(join(ROOT, file), 'utf8'))).toEqual([]);
  });

  it.each([
    'Date.now()',
    'const { now } = Date.now',
    'new Date()',
    'new Date',
    'Date()',
    'Temporal.Now.instant()',
    'Math.random()',
    'crypto.randomUUID()',
    'randomBytes(8)',
    'randomInt(6)',
    'crypto.getRandomValues(bytes)',
    'performance.now()',
    'process.hrtime.bigint()',
    'setTimeout(run, 5)',
  ])('%s would be noticed', (code) => {
    expect(ambientIn(`export const x = () => ${code};`)).not.toEqual([]);
  });

  it('a date that is given, and a word in a comment, are none', () => {
    expect(ambientIn('new Date(ms).toISOString(); // Date.now() is not asked')).toEqual([]);
  });
});
