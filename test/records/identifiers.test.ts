/** Identifiers of records, users, courses and companies. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import {
  emailKey,
  emailRule,
  externalId,
  externalRecordIdOf,
  isCompanyId,
  isEmailAddress,
  isExternalIdText,
  isPlatformId,
} from '../../functions/records/identifiers.ts';

const EMOJI = '😀';
const LONE_SURROGATE = '\ud83d';

describe('external ids', () => {
  it.each([
    ['a number is the same id as its digits', 9101, '9101'],
    ['leading zeros make another id', '09101', '09101'],
    ['a negative zero is zero', -0, '0'],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['128 code points, however long in UTF-16', EMOJI.repeat(128), EMOJI.repeat(128)],
    ['control characters are characters', 'a\u0000b', 'a\u0000b'],
  ])('externalId: %s', (_reason, sent, id) => {
    expect(externalId(sent)).toBe(id);
  });

  it.each([
    ['the empty string', ''],
    ['129 code points', 'x'.repeat(129)],
    ['129 emoji', EMOJI.repeat(129)],
    ['a lone surrogate', `a${LONE_SURROGATE}`],
    ['a fraction', 1.5],
    ['an unsafe integer', 2 ** 53],
    ['a boolean', true],
    ['null', null],
    ['an object', {}],
  ])('externalId: %s → undefined', (_reason, sent) => {
    expect(externalId(sent)).toBeUndefined();
  });

  it('an external_record_id is never a number', () => {
    expect(isExternalIdText(9101)).toBe(false);
    expect(isExternalIdText('9101')).toBe(true);
  });
});

describe('e-mail addresses', () => {
  it.each(['a@b', 'Ana.Souza+x@acme.test', 'ção@exämple.test', `${EMOJI}@b`, `${'a'.repeat(252)}@b`])(
    'isEmailAddress: %s → true',
    (sent) => {
      expect(isEmailAddress(sent)).toBe(true);
    },
  );

  it.each([
    ['no @', 'acme.test'],
    ['two @', 'a@b@c'],
    ['nothing before the @', '@b'],
    ['nothing after the @', 'a@'],
    ['a no-break space', 'a\u00a0@c'],
    ['a line break', 'a@c\n'],
    ['DEL', 'a\u007f@c'],
    ['255 characters', `${'a'.repeat(253)}@b`],
    ['a lone surrogate', `${LONE_SURROGATE}@b`],
    ['the empty string', ''],
    ['null', null],
  ])('isEmailAddress: %s → false', (_reason, sent) => {
    expect(isEmailAddress(sent)).toBe(false);
  });

  it('e-mail addresses are compared without regard to ASCII letter case', () => {
    expect(emailKey('ANA@Acme.TEST')).toBe('ana@acme.test');
  });

  it('other characters are compared exactly: the Kelvin sign is no k, É no é, and nothing is normalised', () => {
    for (const address of ['\u212a@b', 'É@b', 'e\u0301@b', 'İ@b']) expect(emailKey(address)).toBe(address);
  });
});

it('externalRecordIdOf: a record of any type → its id, or null', () => {
  expect(externalRecordIdOf({ external_record_id: 'r-1' })).toBe('r-1');
  for (const raw of [{ external_record_id: 1 }, { external_record_id: '\udc00' }, {}, 'r-1', null, undefined])
    expect(externalRecordIdOf(raw)).toBeNull();
});

it('isPlatformId: a safe integer from 0 → true', () => {
  for (const id of [0, 101, Number.MAX_SAFE_INTEGER]) expect(isPlatformId(id)).toBe(true);
  for (const value of [-1, 1.5, 2 ** 53, '101', null, Number.NaN]) expect(isPlatformId(value)).toBe(false);
});

it('isCompanyId: 1 to 64 letters, digits, underscores and hyphens → true', () => {
  for (const id of ['acme', 'A_b-9', 'x'.repeat(64)]) expect(isCompanyId(id)).toBe(true);
  for (const value of ['', 'x'.repeat(65), 'a#b', 'a/b', 'é', 5, null]) expect(isCompanyId(value)).toBe(false);
});

it.each([
  ['a@b.c ', 'without the blank (U+0020) at its end'],
  ['a@b.c\r\n', 'without the blank (U+000D) at its end'],
  ['😀 a@b.c', 'without the blank (U+0020) at character 2'],
  ['a.b.c', '254 characters'],
  [7, '254 characters'],
])('emailRule: %j → %s', (value, end) => {
  expect(emailRule(value).endsWith(end)).toBe(true);
});
