/** What a process of Vitest that tries a mutant is told of it: its file, the changed text, and whether the file's own test is alone. */
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
