/** Each file of the features and of `bin` has its test at the same path. Reads the sources; costs milliseconds. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FEATURES = '{records,imports,evidence,catalog,auth,jobs,reverts,erasure,platform,dynamodb,http}';
const TOOLS = '{importer/{wire,engine,client,command},local,operate/verify,operate/waves}';

/** Files that are tested elsewhere, by the test that enters them. */
const TESTED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'dynamodb/contract.test.ts': [
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
  'dynamodb/faults.test.ts': ['dynamodb/statements'],
  'importer/engine/evidence/verify.test.ts': [
    'importer/engine/evidence/given',
    'importer/engine/evidence/jws',
    'importer/engine/evidence/results',
    'importer/engine/evidence/words',
    'importer/command/commands/evidence',
  ],
  'over-http/evidence.test.ts': ['evidence/*'],
  'reverts/steps.test.ts': ['jobs/gate'],
  'imports/runs.test.ts': ['imports/run-counts'],
  'jobs/read-message.test.ts': ['jobs/work'],
  'catalog/register-mappings.test.ts': ['http/mapping-requests'],
  'reverts/work.test.ts': ['reverts/remove', 'reverts/store'],
  'http/authorise.test.ts': ['http/operations'],
  'http/response.test.ts': ['http/types'],
  'importer/command/heavy/commands.heavy.ts': ['importer/command/commands/import', 'importer/command/import-lines'],
  'importer/command/files/records.test.ts': ['importer/command/errors'],
  'importer/command/commands/runs.test.ts': ['importer/client/runs'],
  'importer/command/commands/courses.test.ts': [
    'importer/command/ids',
    'importer/engine/match/match-table',
    'importer/engine/records/listed-rows',
  ],
  'importer/engine/records/record-source.test.ts': [
    'importer/engine/records/open-records',
    'importer/engine/records/record-set',
  ],
  'importer/engine/mapping/compile.test.ts': [
    'importer/engine/mapping/convert-value',
    'importer/engine/mapping/fields',
    'importer/engine/mapping/notes',
    'importer/engine/mapping/text-pattern',
    'importer/engine/mapping/time-zone',
  ],
  'importer/engine/mapping/date-format.test.ts': [
    'importer/engine/mapping/date-pattern',
    'importer/engine/mapping/month-names',
  ],
  'importer/engine/mapping/columns.test.ts': ['importer/engine/mapping/check'],
  'importer/engine/kinds/law.test.ts': ['importer/engine/kinds/*', 'importer/engine/kinds/suggestions/*'],
  'importer/engine/kinds/tables.test.ts': ['importer/engine/kinds/columns/*'],
  'importer/command/commands/init-mapping.test.ts': [
    'importer/command/confirm',
    'importer/engine/shape/find-shape',
    'importer/engine/shape/matrix',
    'importer/engine/shape/shaped-rows',
    'importer/engine/shape/two-headers',
  ],
  'importer/command/exports/exports.test.ts': [
    'importer/engine/match/platform',
    'importer/engine/mapping/header',
    'importer/engine/run/preview-lines',
    'importer/engine/mapping/table-profile',
  ],
  'importer/engine/match/users.test.ts': ['importer/engine/match/user-name'],
  'importer/engine/match/old-courses.test.ts': ['importer/engine/match/row-texts'],
  'importer/engine/match/match.test.ts': ['importer/engine/match/similarity', 'importer/engine/match/title'],
  'importer/engine/source/open-source.test.ts': [
    'importer/engine/source/encoding',
    'importer/engine/source/json',
    'importer/engine/source/json-items',
    'importer/engine/source/json-lists',
    'importer/engine/errors',
  ],
  'importer/command/unseen/unseen.test.ts': [
    'importer/engine/mapping/date-forms',
    'importer/engine/source/nested-rows',
    'importer/engine/source/sheets',
  ],
  'importer/engine/source/spreadsheet.test.ts': ['importer/engine/source/spreadsheet/*'],
  'importer/client/client.test.ts': ['importer/wire/errors'],
  'local/command.test.ts': [
    'local/endpoints',
    'local/engines',
    'local/engine/*',
    'local/function-environment',
    'local/load-data',
    'local/stack',
    'local/tables',
  ],
  'local/event-sources.test.ts': ['local/queues'],
  'local/http-server.test.ts': ['local/gateway-responses', 'local/http-payload', 'local/route-table'],
  'over-http/verify.test.ts': ['operate/verify/*'],
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

it.each(FILES)('%s has its test at the same path, or is entered by another', (file) => {
  expect(hasTest(file) !== isListed(file)).toBe(true);
});

it('the list has no file that does not exist', () => {
  expect(LISTED.filter((listed) => !listed.endsWith('/*') && !FILES.includes(listed))).toEqual([]);
});

it('each of the other tests exists', () => {
  expect(Object.keys(TESTED_ELSEWHERE).filter((test) => !existsSync(join(ROOT, 'test', test)))).toEqual([]);
});
