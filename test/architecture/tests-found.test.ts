/** Holds each file of the features and of `bin` to having its test at the same path. Reads the sources; costs milliseconds. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FEATURES = '{records,imports,catalog,auth,jobs,reverts,erasure,platform,dynamodb,http}';
const TOOLS = '{cli,importer,client,local,verify,waves}';

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
  'dynamodb/faults.test.ts throttles, interrupts and refuses its calls below the stores.': [
    'dynamodb/batches',
    'dynamodb/errors',
    'dynamodb/statements',
  ],
  'handlers/intake.test.ts expects the log line of each kind of fact.': ['platform/fact-audit'],
  'reverts/steps.test.ts closes and opens it.': ['jobs/gate'],
  'jobs/read-message.test.ts reads each body that it writes.': ['jobs/work'],
  'reverts/work.test.ts runs the steps on the stores.': ['reverts/remove', 'reverts/store'],
  'http/errors.test.ts expects the rejection, the one class of the file, as every test of an operation does.': [
    'http/types',
  ],
  'cli/heavy/commands.heavy.ts runs these commands as their users do, against the local stack.': [
    'cli/commands/catalog',
    'cli/commands/check-users',
    'cli/commands/import',
    'cli/commands/login',
    'cli/commands/reconcile',
    'cli/import-lines',
    'cli/open-files',
  ],
  'cli/commands/revert.test.ts, cancel and imports use it.': ['cli/runs'],
  'cli/commands/map-users.test.ts and map-courses are made of it.': ['cli/registration'],
  'importer/records/record-source.test.ts opens all files by it.': [
    'cli/files/records',
    'importer/records/open-records',
    'importer/records/record-set',
    'importer/records/row-spool',
  ],
  'importer/whole-file.test.ts finds repeats and reads class titles in whole files.': ['importer/records/class-titles'],
  'importer/mapping/compile.test.ts and value-reader read values of every kind through a whole mapping.': [
    'importer/mapping/convert-value',
    'importer/mapping/fields',
    'importer/mapping/named-columns',
    'importer/mapping/notes',
    'importer/mapping/source-rules',
    'importer/mapping/text-pattern',
    'importer/mapping/time-zone',
  ],
  'importer/mapping/date-format.test.ts reads dates of each pattern and language.': [
    'importer/mapping/date-pattern',
    'importer/mapping/month-names',
  ],
  'importer/mapping/columns.test.ts and cli/files/mapping-file.test.ts refuse mappings by it.': [
    'importer/mapping/schema',
  ],
  'importer/mapping/meanings.test.ts compares drafts of generated tables with what their rows mean.': [
    'importer/mapping/guess-progress',
  ],
  'importer/shape/exports.test.ts drafts the grade books of two systems.': ['importer/mapping/guess-grades'],
  'importer/records/settle-draft.test.ts counts completions in drafts and in previews.': ['importer/mapping/renewals'],
  'importer/shape/find-shape.test.ts reads a table of each shape.': [
    'importer/shape/profiled-table',
    'importer/shape/shaped-rows',
  ],
  'cli/exports/exports.test.ts drafts a mapping for exports of each system and compares the preview and the end state.':
    [
      'importer/mapping/guess-columns',
      'importer/mapping/guess-mapping',
      'importer/mapping/guess-status',
      'importer/mapping/header',
      'importer/mapping/preview',
      'importer/mapping/preview-lines',
      'importer/mapping/table-profile',
    ],
  'importer/match/find-users.test.ts finds users as the command does, and reads its table.': [
    'cli/commands/match-users',
  ],
  'cli/commands/match-courses.test.ts and importer/match/find-users.test.ts write and read the table.': [
    'cli/match-table',
    'importer/match/match-table',
  ],
  'importer/match/users.test.ts compares names and addresses by it.': ['importer/match/user-name'],
  'importer/match/old-courses.test.ts and old-users read their rows by it.': ['importer/match/row-texts'],
  'importer/match/match.test.ts matches titles by it.': ['importer/match/similarity', 'importer/match/title'],
  'importer/match/draft-courses.test.ts reads the catalog by it.': ['importer/match/catalog'],
  'importer/reconcile/reconcile.test.ts compares whole files with the service.': [
    'importer/reconcile/beyond',
    'importer/reconcile/compare',
    'importer/reconcile/page',
    'importer/reconcile/tally',
  ],
  'cli/commands/map-users.test.ts and importer/match/old-courses.test.ts read their rows by it.': [
    'importer/records/listed-rows',
  ],
  'importer/source/open-source.test.ts reads and refuses files of each format.': [
    'importer/source/bytes',
    'importer/source/csv-text',
    'importer/source/encoding',
    'importer/source/json',
    'importer/source/json-error-offset',
    'importer/source/json-items',
  ],
  'importer/source/spreadsheet.test.ts reads and refuses workbooks.': ['importer/source/spreadsheet/*'],
  'client/client.test.ts makes calls that fail, wait, repeat and page.': [
    'client/errors',
    'client/following',
    'client/retry',
    'client/transport',
  ],
  'importer/source/open-source.test.ts expects it of every file that is refused.': ['importer/errors'],
  'local/command.test.ts starts the stack as its users do, and over-http/life.test.ts uses it.': [
    'local/endpoints',
    'local/engines',
    'local/engine/*',
    'local/event-bus',
    'local/function-environment',
    'local/load-data',
    'local/sample-lines',
    'local/stack',
    'local/synthesize',
    'local/tables',
  ],
  'local/event-sources.test.ts delivers messages through it.': ['local/queues'],
  'local/http-server.test.ts sends requests through it.': [
    'local/gateway-responses',
    'local/http-payload',
    'local/route-table',
  ],
  'local/iam/calls.test.ts reads calls of each kind by it.': [
    'local/iam/arns',
    'local/iam/partiql',
    'local/iam/table-calls',
  ],
  'over-http/verify.test.ts checks a stack, and one that is wrong in each way.': ['verify/*'],
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
