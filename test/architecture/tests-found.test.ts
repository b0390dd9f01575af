/** Holds each file of the features to having its test at the same path. Reads the sources; costs milliseconds. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['records', 'imports', 'catalog', 'auth', 'jobs', 'reverts', 'erasure', 'platform', 'dynamodb', 'http'];

const CONTRACT = 'dynamodb/contract.test.ts runs every store on each engine.';
const FAULTS = 'dynamodb/faults.test.ts throttles, interrupts and refuses its calls below the stores.';

/** Files that are tested through others, each with the reason. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'auth/access-store': CONTRACT,
  'catalog/directory-store': CONTRACT,
  'imports/chunk-store': CONTRACT,
  'jobs/gate': 'reverts/steps.test.ts',
  'reverts/remove': 'reverts/work.test.ts',
  'reverts/report': 'reverts/work.test.ts',
  'reverts/store': 'reverts/work.test.ts',
  'platform/loaded-file-store': CONTRACT,
  'imports/import-lists': CONTRACT,
  'platform/platform-data-store': CONTRACT,
  'dynamodb/client': CONTRACT,
  'dynamodb/expressions': CONTRACT,
  'dynamodb/queries': CONTRACT,
  'dynamodb/table': CONTRACT,
  'dynamodb/batches': FAULTS,
  'dynamodb/errors': FAULTS,
  'dynamodb/statements': FAULTS,
  'http/types': 'It has one class, the rejection, which every test of an operation expects.',
};

const EXPORTS_FUNCTION = /^export (async )?function|^export const \w+ =\s*(async )?(<.*>)?\(|^export class/m;

const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, 'functions', folder)).map((file) => `${folder}/${file.replace(/\.ts$/, '')}`),
);
const WITH_FUNCTIONS = FILES.filter((file) =>
  EXPORTS_FUNCTION.test(readFileSync(join(ROOT, 'functions', `${file}.ts`), 'utf8')),
);
const hasTest = (file: string): boolean => existsSync(join(ROOT, 'test', `${file}.test.ts`));

it.each(WITH_FUNCTIONS)('%s has its test at the same path, or a reason to be tested elsewhere', (file) => {
  expect(hasTest(file) !== file in TESTED_ELSEWHERE).toBe(true);
});

it('lists no file that does not exist', () => {
  expect(Object.keys(TESTED_ELSEWHERE).filter((file) => !WITH_FUNCTIONS.includes(file))).toEqual([]);
});
