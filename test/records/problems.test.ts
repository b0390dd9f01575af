/** The messages of errors and warnings: short whole sentences that name the field. Costs milliseconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstProblems, invalid, problem, warning } from '../../functions/records/problems.ts';
import { anythingSent } from './arbitraries.ts';
import { plan, record } from './fixtures.ts';
import { cases } from '../kit/at-length.ts';

const LONE_SURROGATE = '\ud83d';

describe('a message', () => {
  it('a message is a sentence: the name of the field, what is wrong, a full stop', () => {
    expect(problem('user_not_found', 'user.email', 'does not belong to a user')).toEqual({
      error_code: 'user_not_found',
      message: 'user.email does not belong to a user.',
      field: 'user.email',
    });
    expect(warning('assessment_ignored', 'assessment', 'is ignored')).toEqual({
      warning_code: 'assessment_ignored',
      message: 'assessment is ignored.',
      field: 'assessment',
    });
    expect(invalid('user', 'is required')).toEqual(problem('invalid_record', 'user', 'is required'));
  });

  it.each([
    ['a block', record({ user: undefined }), 'user is required.'],
    [
      'a member of a class',
      record({ progress: { classes: [{}] } }),
      'progress.classes.0.platform_class_id is required.',
    ],
  ])('a message says that %s is missing', (_what, raw, message) => {
    expect(plan(raw).result.errors.map((error) => error.message)).toEqual([message]);
  });

  it.each([
    ['a block', record({ user: 5 }), 'user must be an object, not 5.'],
    ['a member', record({ content: { type: 5, platform_course_id: 101 } }), 'content.type must be "course", not 5.'],
    [
      'a member of a class',
      record({ progress: { classes: [{ platform_class_id: 'x' }] } }),
      'progress.classes.0.platform_class_id must be a whole number from 0 to 2^53 - 1, not "x".',
    ],
  ])('a message says which type %s must have', (_what, raw, message) => {
    expect(plan(raw).result.errors.map((error) => error.message)).toEqual([message]);
  });

  it('a message is short, well-formed, begins with its field or a capital letter, and ends with a full stop, whatever was sent', () => {
    fc.assert(
      fc.property(anythingSent, (raw) => {
        const { errors, warnings } = plan(raw).result;
        for (const { message, field = '' } of [...errors, ...warnings]) {
          expect(message.isWellFormed() && field.isWellFormed()).toBe(true);
          expect(message.length + field.length).toBeLessThan(4000);
          const begin = field !== '' && message.startsWith(field) ? 'T' : message;
          expect(begin).toMatch(/^[A-Z]/);
          expect(message).toMatch(/\.$/);
        }
      }),
      { numRuns: cases(1000, 80) },
    );
  });

  const long = 'x'.repeat(200);
  it.each([
    ['a long address', record({ user: { email: `${long}@acme.test` } })],
    ['a long external id', record({ user: { external_user_id: '😀'.repeat(128) } })],
    ['a lone surrogate', record({ content: { type: LONE_SURROGATE, platform_course_id: 1 } })],
  ])('a message does not quote %s at length, and is well-formed', (_reason, raw) => {
    const { errors } = plan(raw).result;
    expect(errors.length).toBeGreaterThan(0);
    for (const { message, field } of errors) {
      expect(message).not.toContain('x'.repeat(65));
      expect(message).not.toContain('😀'.repeat(65));
      expect(message.isWellFormed()).toBe(true);
      expect(message).toContain(field);
    }
  });
});

describe('firstProblems', () => {
  const problems = ['progress.classes.0', 'progress.classes', 'progress.classes.1.viewed_at', 'user.email'].map(
    (field) => invalid(field, 'is wrong'),
  );

  it('firstProblems counts the rest, and leaves out problems of single classes first', () => {
    const [ofClass, ofClasses, , ofUser] = problems;
    expect(firstProblems(problems, 3)).toEqual([
      ofClasses,
      ofUser,
      ofClass,
      { error_code: 'invalid_record', message: 'The record has 1 more problem.' },
    ]);
  });
});
