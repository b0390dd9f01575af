/**
 * `npm run openapi`, after a change to a schema, an operation, a code or a setting: renders docs/openapi.json, which get-openapi serves,
 * the tables of docs/errors.md, and companies/settings.schema.json, for editors. `-- compare` prints instead what a client notices since the last release, as oasdiff
 * lists it, and fails if any of it breaks clients (docs/versioning.md); it needs Go, which fetches oasdiff once. `-- release` keeps the
 * present document as that of this version, and compares.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { settingsSchema } from '../../lib/settings.ts';
import { ERRORS_PAGE, withTables } from './errors-page.ts';
import { packageVersion } from './version.ts';

const OASDIFF = 'github.com/oasdiff/oasdiff@v1.11.8';
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const DOCUMENT = at('docs/openapi.json');
const RELEASES = at('docs/releases/');

const rendered = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
export const renderedDocument = (): string => rendered(openApiDocument(packageVersion()));
export const renderedSettingsSchema = (): string => rendered(settingsSchema());

/** What changed between two files, a paragraph for each change, and whether it breaks clients. `undefined` without Go. */
export function compared(before: string, after: string): { broken: boolean; report: string } | undefined {
  const options = ['--fail-on', 'WARN', '--severity-levels', `${RELEASES}severity.txt`];
  const command = ['run', OASDIFF, 'changelog', before, after, ...options];
  const run = spawnSync('go', command, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (run.error !== undefined) return undefined;
  const beside = [...changedConditions(before, after), ...goneValues(before, after)];
  return {
    broken: run.status !== 0 || beside.length > 0,
    report: [run.stdout, run.stderr, ...beside].join('\n').trim(),
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

const OPEN_LISTS = /^(?:error_code|warning_code|outcome)$/;

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The known values of each open list, by its place: they are examples, which oasdiff does not compare. A client waits for them. */
function openLists(value: unknown, place = ''): (readonly [place: string, known: readonly unknown[]])[] {
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = `${place}/${name}`;
    const known = OPEN_LISTS.test(name) && isMembers(member) ? member['examples'] : undefined;
    return Array.isArray(known) ? [[path, known] as const, ...openLists(member, path)] : openLists(member, path);
  });
}

function goneValues(...files: readonly [string, string]): string[] {
  const [before, after] = files.map((file) => openLists(JSON.parse(readFileSync(file, 'utf8'))));
  const left = new Map(after);
  return (before ?? []).flatMap(([place, known]) =>
    known
      .filter((each) => left.get(place)?.includes(each) === false)
      .map((each) => `error ${place}: ${String(each)} is gone from an open list`),
  );
}

/** The file of the document of the last release. */
export function lastRelease(): string {
  const files = readdirSync(RELEASES).filter((file) => /^openapi-.*\.json$/.test(file));
  const [last] = files.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  if (last === undefined) throw new Error('docs/releases has no document: run npm run openapi -- release.');
  return `${RELEASES}${last}`;
}

function compareWithRelease(): void {
  const last = lastRelease();
  const comparison = compared(last, DOCUMENT);
  if (comparison === undefined)
    return console.log('Go is not installed: the document was not compared with the last release.');
  console.log(comparison.report || `No change since ${last}.`);
  process.exitCode = comparison.broken ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) {
  const [, , what] = process.argv;
  if (what === undefined) {
    writeFileSync(DOCUMENT, renderedDocument());
    writeFileSync(ERRORS_PAGE, withTables(readFileSync(ERRORS_PAGE, 'utf8')));
    writeFileSync(at('companies/settings.schema.json'), renderedSettingsSchema());
  } else {
    if (what === 'release') writeFileSync(`${RELEASES}openapi-${packageVersion()}.json`, renderedDocument());
    compareWithRelease();
  }
}
