/**
 * `npm run contract`: what a client notices since the last release, as oasdiff lists it, and an error if any of it breaks clients.
 * Needs Go, which fetches oasdiff once; says so and ends where there is none. With `--release` it keeps the present document as the
 * one of this version. docs/versioning.md says what counts as breaking.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { renderedDocument } from './openapi.ts';
import { packageVersion } from './version.ts';

const OASDIFF = 'github.com/oasdiff/oasdiff@v1.11.8';
const RELEASES = fileURLToPath(new URL('../../docs/releases/', import.meta.url));
const PRESENT = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const FILE = /^openapi-(.*)\.json$/;

export interface Comparison {
  readonly broken: boolean;
  /** One paragraph for each change. */
  readonly report: string;
}

/** What changed between two files. `undefined` without Go. */
export function compared(before: string, after: string): Comparison | undefined {
  const options = ['--fail-on', 'WARN', '--severity-levels', `${RELEASES}severity.txt`];
  const run = spawnSync('go', ['run', OASDIFF, 'changelog', before, after, ...options], { encoding: 'utf8' });
  if (run.error !== undefined) return undefined;
  const conditions = changedConditions(before, after);
  return {
    broken: run.status !== 0 || conditions.length > 0,
    report: [run.stdout, run.stderr, ...conditions].join('\n').trim(),
  };
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

/** oasdiff does not compare the conditions between members of a schema: any change of one breaks clients. */
function changedConditions(...files: readonly [string, string]): string[] {
  const [before, after] = files.map((file) => (JSON.parse(readFileSync(file, 'utf8')) as Document).components.schemas);
  return Object.entries(before ?? {}).flatMap(([name, schema]) =>
    ['if', 'then', 'not']
      .filter((keyword) => !isDeepStrictEqual(schema[keyword], after?.[name]?.[keyword]))
      .map((keyword) => `error ${name}: ${keyword} is another`),
  );
}

/** The document of the last release. */
function lastRelease(): string {
  const files = readdirSync(RELEASES).filter((file) => FILE.test(file));
  const [last] = files.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  if (last === undefined) throw new Error('docs/releases has no document: run npm run contract -- --release.');
  return `${RELEASES}${last}`;
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--release'))
    writeFileSync(`${RELEASES}openapi-${packageVersion()}.json`, renderedDocument());
  const last = lastRelease();
  const comparison = compared(last, PRESENT);
  if (comparison === undefined)
    console.log('Go is not installed: the contract was not compared with the last release.');
  else {
    console.log(comparison.report || `No change since ${last}.`);
    process.exitCode = comparison.broken ? 1 : 0;
  }
}
