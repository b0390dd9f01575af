/** Each file of the features and of `bin` has its test at the same path. Reads the sources; costs milliseconds. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FEATURES = '{records,imports,evidence,catalog,auth,jobs,reverts,erasure,platform,dynamodb,http}';
const TOOLS = '{importer/{wire,engine,client,command},local,operate/verify,operate/waves}';

/** Files that are tested elsewhere, by the reason, which begins with the test. */
const TESTED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'dynamodb/contract.test.ts runs every store on each engine.': [
    'auth/access-store',
    'catalog/directory-store',
    'imports/chunk-store',
    'imports/import-lists',
    'platform/loaded-file-store',
    'platform/platform-data-store',
    'dynamodb/client',
    'dynamodb/expressions',
    'dynamodb/queries',
    'dynamodb/table',
  ],
  'dynamodb/faults.test.ts throttles, interrupts and refuses its calls below the stores.': ['dynamodb/statements'],
  'importer/engine/evidence/verify.test.ts and importer/command/commands/verify-evidence.test.ts make, read and verify evidence.':
    [
      'importer/engine/evidence/given',
      'importer/engine/evidence/jws',
      'importer/engine/evidence/results',
      'importer/engine/evidence/words',
      'importer/command/commands/evidence',
    ],
  'over-http/evidence.test.ts signs, lists and verifies by them.': ['evidence/*'],
  'reverts/steps.test.ts closes and opens it.': ['jobs/gate'],
  'imports/runs.test.ts keeps and reads the sums of runs.': ['imports/run-counts'],
  'jobs/read-message.test.ts reads each body that it writes.': ['jobs/work'],
  'catalog/register-mappings.test.ts registers and lists mappings by it.': ['http/mapping-requests'],
  'reverts/work.test.ts runs the steps on the stores.': ['reverts/remove', 'reverts/store'],
  'http/authorise.test.ts calls operations of each kind.': ['http/operations'],
  'http/response.test.ts expects the rejection, the one class of the file, as every test of an operation does.': [
    'http/types',
  ],
  'importer/command/heavy/commands.heavy.ts runs these commands as their users do, against the local stack.': [
    'importer/command/commands/import',
    'importer/command/import-lines',
  ],
  'importer/command/files/records.test.ts and whole-file read and write what the system refuses.': [
    'importer/command/errors',
  ],
  'importer/command/commands/runs.test.ts uses it.': ['importer/client/runs'],
  'importer/command/commands/courses.test.ts is made of it, and importer/engine/match/find-users.test.ts writes and reads the table.':
    ['importer/command/ids', 'importer/engine/match/match-table'],
  'importer/engine/records/record-source.test.ts opens all files by it.': [
    'importer/engine/records/open-records',
    'importer/engine/records/record-set',
  ],
  'importer/engine/mapping/compile.test.ts and value-reader read values of every kind through a whole mapping.': [
    'importer/engine/mapping/convert-value',
    'importer/engine/mapping/fields',
    'importer/engine/mapping/notes',
    'importer/engine/mapping/text-pattern',
    'importer/engine/mapping/time-zone',
  ],
  'importer/engine/mapping/date-format.test.ts reads dates of each pattern and language.': [
    'importer/engine/mapping/date-pattern',
    'importer/engine/mapping/month-names',
  ],
  'importer/engine/mapping/columns.test.ts and importer/command/files/mapping-file.test.ts refuse mappings by it.': [
    'importer/engine/mapping/check',
  ],
  'importer/engine/kinds/law.test.ts finds, confirms and applies the kinds of generated tables.': [
    'importer/engine/kinds/*',
  ],
  'importer/command/commands/init-mapping.test.ts answers its questions at a terminal.': ['importer/command/confirm'],
  'importer/command/commands/init-mapping.test.ts reads a table of each shape.': [
    'importer/engine/shape/find-shape',
    'importer/engine/shape/matrix',
    'importer/engine/shape/shaped-rows',
    'importer/engine/shape/two-headers',
  ],
  'importer/command/exports/exports.test.ts drafts a mapping for exports of each system and compares the preview and the end state.':
    [
      'importer/engine/match/platform',
      'importer/engine/mapping/header',
      'importer/engine/run/preview-lines',
      'importer/engine/mapping/table-profile',
    ],
  'importer/engine/match/users.test.ts compares names and addresses by it.': ['importer/engine/match/user-name'],
  'importer/engine/match/old-courses.test.ts and old-users read their rows by it.': ['importer/engine/match/row-texts'],
  'importer/engine/match/match.test.ts matches titles by it.': [
    'importer/engine/match/similarity',
    'importer/engine/match/title',
  ],
  'importer/command/commands/courses.test.ts and importer/engine/match/find-users.test.ts read their rows by it.': [
    'importer/engine/records/listed-rows',
  ],
  'importer/engine/source/open-source.test.ts reads and refuses files of each format.': [
    'importer/engine/source/encoding',
    'importer/engine/source/json',
    'importer/engine/source/json-items',
    'importer/engine/source/json-lists',
  ],
  'importer/command/unseen/unseen.test.ts reads sheets, nested rows and encodings that nobody built for.': [
    'importer/engine/mapping/date-forms',
    'importer/engine/source/nested-rows',
    'importer/engine/source/sheets',
  ],
  'importer/engine/source/spreadsheet.test.ts reads and refuses workbooks.': ['importer/engine/source/spreadsheet/*'],
  'importer/client/client.test.ts makes calls that fail, wait, repeat and page.': [
    'importer/wire/errors',
    'importer/client/retry',
  ],
  'importer/engine/source/open-source.test.ts expects it of every file that is refused.': ['importer/engine/errors'],
  'local/command.test.ts starts the stack as its users do, and over-http/life.test.ts uses it.': [
    'local/endpoints',
    'local/engines',
    'local/engine/*',
    'local/function-environment',
    'local/load-data',
    'local/schedules',
    'local/stack',
    'local/tables',
  ],
  'local/event-sources.test.ts delivers messages through it.': ['local/queues'],
  'local/http-server.test.ts sends requests through it.': [
    'local/gateway-responses',
    'local/http-payload',
    'local/route-table',
  ],
  'over-http/verify.test.ts checks a stack, and one that is wrong in each way.': ['operate/verify/*'],
};

const EXPORTS_FUNCTION = /^export (async )?function|^export const \w+ =\s*(async )?(<.*>)?\(|^export class/m;

const filesIn = (folder: string, pattern: string): string[] =>
  globSync(`${pattern}/**/*.ts`, { cwd: join(ROOT, folder) })
    .filter((file) => EXPORTS_FUNCTION.test(readFileSync(join(ROOT, folder, file), 'utf8')))
    .map((file) => file.replace(/\.ts$/, ''));

const FILES = [...filesIn('functions', FEATURES), ...filesIn('bin', TOOLS)];
const LISTED = Object.values(TESTED_ELSEWHERE).flat();
const isListed = (file: string): boolean => LISTED.includes(file) || LISTED.includes(file.replace(/[^/]+$/, '*'));
const hasTest = (file: string): boolean => existsSync(join(ROOT, 'test', `${file}.test.ts`));

it.each(FILES)('%s has its test at the same path, or a reason to be tested elsewhere', (file) => {
  expect(hasTest(file) !== isListed(file)).toBe(true);
});

it('the list has no file that does not exist', () => {
  expect(LISTED.filter((listed) => !listed.endsWith('/*') && !FILES.includes(listed))).toEqual([]);
});

it('each reason begins with a test that exists', () => {
  const tests = Object.keys(TESTED_ELSEWHERE).map((reason) => join(ROOT, 'test', reason.split(/[ ,]/)[0] ?? ''));
  expect(tests.filter((test) => !existsSync(test))).toEqual([]);
});
