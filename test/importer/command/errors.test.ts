/** Errors in words. Costs milliseconds. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fileReason } from '../../../bin/importer/command/errors.ts';
import { messageOf } from '../../../bin/importer/engine/errors.ts';

const thrownBy = (step: () => unknown): unknown => {
  try {
    return step();
  } catch (error) {
    return error;
  }
};

it('fileReason: an error of the operating system → a sentence part, else its code or its message', () => {
  expect(fileReason(thrownBy(() => readFileSync('/no/such/file')))).toBe('there is no such file or folder');
  expect(fileReason(Object.assign(new Error('m'), { code: 'EMFILE' }))).toBe('EMFILE');
  expect(fileReason(new Error('broken'))).toBe('broken');
});

it('messageOf: a thrown value that is no error → its text', () => {
  expect(messageOf('stopped')).toBe('stopped');
});
