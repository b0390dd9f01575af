/** A mutant as a process of Vitest gets it: its file, the changed text, and whether only the file's own test runs. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const PROJECT = resolve(import.meta.dirname, '../../..');

export function mutatedFile() {
  const { MUTANT_FILE = '', MUTANT_TEXT = '', MUTANT_ALONE } = process.env;
  return {
    path: join(PROJECT, MUTANT_FILE),
    text: readFileSync(MUTANT_TEXT, 'utf8'),
    isAlone: MUTANT_ALONE !== undefined,
  };
}
