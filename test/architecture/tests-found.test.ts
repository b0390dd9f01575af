/** Each file of the features and of `bin` has its test at the same path. Reads the sources; costs milliseconds. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FEATURES = '{records,imports,evidence,notices,catalog,auth,jobs,reverts,erasure,platform,dynamodb,http}';
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
    'importer/command/commands/evidence',
  ],
  'over-http/clients.test.ts': ['auth/assertions', 'auth/creator', 'http/addresses'],
  'platform/client-facts.test.ts': ['auth/client-keys', 'auth/clients'],
  'over-http/evidence.test.ts': ['evidence/evidence'],
  'erasure/steps.test.ts': ['erasure/names'],
  'reverts/steps.test.ts': ['jobs/gate'],
  'runs/read.test.ts': ['imports/run-counts', 'imports/runs'],
  'jobs/owed.test.ts': ['notices/run-notices'],
  'records/folded.test.ts': ['imports/folded-item'],
  'jobs/read-message.test.ts': ['jobs/work'],
  'handlers/approve-plan.test.ts': ['http/plan-requests'],
  'handlers/sign-in.test.ts': ['auth/sign-in', 'http/issuing'],
  'catalog/register-mappings.test.ts': ['http/mapping-requests'],
  'reverts/work.test.ts': ['reverts/remove', 'reverts/store'],
  'http/authorise.test.ts': ['http/operations'],
  'http/response.test.ts': ['http/types'],
  'importer/command/heavy/commands.heavy.ts': ['importer/command/lines/result'],
  'importer/command/files/records.test.ts': ['importer/command/errors'],
  'importer/command/commands/runs.test.ts': ['importer/client/runs'],
  'importer/command/plans.test.ts': ['importer/command/lines/plan'],
  'importer/command/commands/courses.test.ts': [
    'importer/command/ids',
    'importer/engine/match/match-table',
    'importer/engine/match/listed-rows',
  ],
  'importer/engine/apply/record-source.test.ts': [
    'importer/engine/apply/open-records',
    'importer/engine/apply/record-set',
  ],
  'importer/engine/apply/compile.test.ts': [
    'importer/engine/dates/convert-value',
    'importer/engine/ground/fields',
    'importer/engine/language/notes',
    'importer/engine/ground/text-pattern',
    'importer/engine/dates/time-zone',
  ],
  'importer/engine/dates/date-format.test.ts': [
    'importer/engine/dates/date-pattern',
    'importer/engine/dates/month-names',
  ],
  'importer/systems/systems.test.ts': ['importer/engine/language/descriptor'],
  'importer/engine/language/check.test.ts': ['importer/engine/language/schema'],
  'importer/engine/decide/law.test.ts': [
    'importer/engine/decide/*',
    'importer/engine/apply/kinds',
    'importer/engine/ground/branch',
    'importer/engine/language/classes',
  ],
  'importer/engine/decide/small-tables.test.ts': ['importer/engine/apply/names', 'importer/engine/apply/revoked'],
  'importer/engine/decide/tables.test.ts': [
    'importer/engine/dates/latest-date',
    'importer/engine/profile/days-of-courses',
    'importer/engine/profile/roles',
    'importer/engine/profile/table',
  ],
  'importer/engine/lexicon/languages.test.ts': ['importer/engine/lexicon/languages/index'],
  'importer/command/mcp/server.test.ts': [
    'importer/command/commands/mcp',
    'importer/command/mcp/answer',
    'importer/command/mcp/file-tools',
    'importer/command/mcp/tool',
  ],
  'importer/command/commands/init-mapping.test.ts': [
    'importer/command/files/own-systems',
    'importer/engine/language/descriptor-of',
    'importer/command/confirm',
    'importer/command/findings',
    'importer/engine/profile/find-shape',
    'importer/engine/profile/shaped-rows',
    'importer/engine/profile/two-headers',
  ],
  'importer/command/exports/exports.test.ts': [
    'importer/engine/match/platform',
    'importer/engine/read/header',
    'importer/engine/profile/table-profile',
  ],
  'importer/engine/match/users.test.ts': ['importer/engine/ground/user-name'],
  'importer/engine/match/old-courses.test.ts': ['importer/engine/match/row-texts'],
  'importer/engine/match/match.test.ts': ['importer/engine/match/similarity', 'importer/engine/match/title'],
  'importer/engine/read/open-source.test.ts': [
    'importer/engine/read/json',
    'importer/engine/read/json-items',
    'importer/engine/read/json-lists',
    'importer/engine/ground/errors',
  ],
  'importer/command/unseen/unseen.test.ts': ['importer/engine/read/nested-rows'],
  'importer/engine/read/spreadsheet/spreadsheet.test.ts': [
    'importer/engine/read/spreadsheet/number-format',
    'importer/engine/read/spreadsheet/shared-strings',
    'importer/engine/read/spreadsheet/sheet-rows',
    'importer/engine/read/spreadsheet/workbook',
    'importer/engine/read/spreadsheet/xml',
  ],
  'importer/texts/texts.test.ts': ['importer/engine/ground/codes'],
  'importer/client/client.test.ts': ['importer/client/learner-courses', 'importer/wire/errors'],
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
const isOfFolder = (file: string): boolean => LISTED.includes(file.replace(/[^/]+$/, '*'));
const hasTest = (file: string): boolean => existsSync(join(ROOT, 'test', `${file}.test.ts`));

it.each(FILES)('%s has its test at the same path, or is entered by another', (file) => {
  // A file of a folder whose test is listed may have one of its own beside.
  expect(hasTest(file) ? !LISTED.includes(file) : LISTED.includes(file) || isOfFolder(file)).toBe(true);
});

it('the list has no file that does not exist', () => {
  expect(LISTED.filter((listed) => !listed.endsWith('/*') && !FILES.includes(listed))).toEqual([]);
});

it('each of the other tests exists', () => {
  expect(Object.keys(TESTED_ELSEWHERE).filter((test) => !existsSync(join(ROOT, 'test', test)))).toEqual([]);
});
