/** The records of a person, in any spelling of the name, and what an erasure leaves of them. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import {
  aboutPerson,
  erasedResult,
  namesIn,
  planErased,
  withoutHolder,
  addressFinder,
  spelledId,
} from '../../functions/records/person.ts';
import { conflictResult, errorResult, successResult } from '../../functions/records/result.ts';
import type { PlannedRecord } from '../../functions/shared/model.ts';

const PERSON = { user_id: 7, emails: new Set(['ann@acme.test']), external_ids: new Set(['9101']) };

const isAbout = aboutPerson(PERSON);

const PAIR = { user_id: 7, platform_course_id: 101 };

const PROGRESS = { ...NO_PROGRESS, completion_pct: 50 };

const result = errorResult({ index: 0, external_record_id: 'r' }, []);

const found = (user_id: number): PlannedRecord => ({
  result: successResult({ index: 0, external_record_id: 'r' }, 'applied', [], { ...PAIR, user_id }, PROGRESS),
});

describe('a record', () => {
  it.each<[string, unknown]>([
    ['with the address', { user: { email: 'ann@acme.test' } }],
    ['with the external id', { user: { external_user_id: '9101' } }],
    ['with it as a number', { user: { external_user_id: 9101 } }],
    ['with the address in place of the block', { user: 'ann@acme.test' }],
    ['with it in an array', { user: [{ mail: 'ann@acme.test' }] }],
    ['with it as the name of a member', { user: { 'ann@acme.test': 1 } }],
    ['without a user, with the address elsewhere', { email: 'see ann@acme.test.' }],
    ['that is a text with the address', 'mailto:ann@acme.test?subject=x'],
  ])('a record %s is about the person', (_, raw) => {
    expect(isAbout(raw)).toBe(true);
    expect(isAbout(raw, { result })).toBe(true);
  });

  it.each<[string, unknown]>([
    ['of a longer address', { user: { email: 'joann@acme.test' } }],
    ['of an address in a longer domain', { user: { email: 'ann@acme.test.org' } }],
    ['of an address that only looks alike', { user: { email: 'ann@acmeXtest' } }],
    ['of a longer external id', { user: { external_user_id: '91010' } }],
    ['of another user that mentions the person', { user: { email: 'ben@acme.test' }, note: 'asked ann@acme.test' }],
    ['without a user', { user: null }],
    ['that is no record', 9101],
  ])('a record %s is not about the person', (_, raw) => {
    expect(isAbout(raw)).toBe(false);
  });

  it('a resolved record is about its user, whatever its identifiers are', () => {
    expect(isAbout({ user: { email: 'ben@acme.test' } }, found(7))).toBe(true);
    expect(isAbout({ user: { external_user_id: '9101' } }, found(8))).toBe(false);
  });

  it('namesIn: a record → its address only if it was resolved to the person, and its external ids', () => {
    const raw = { user: { email: 'Old@acme.test', external_user_id: 5 } };
    expect(namesIn(raw, found(7))).toEqual({ emails: new Set(['old@acme.test']), external_ids: new Set(['5']) });
    expect(namesIn(raw, { result })).toEqual({ emails: new Set(), external_ids: new Set(['5']) });
    expect(namesIn('text', undefined)).toEqual({ emails: new Set(), external_ids: new Set() });
  });
});

describe('erased records', () => {
  it('the rest of an erased record shows its outcome, and no value of the record', () => {
    const warnings = [{ warning_code: 'unknown_field_ignored', message: 'ann', field: 'ann' }] as const;
    const applied = successResult({ index: 3, external_record_id: 'ann-1' }, 'updated', warnings, PAIR, PROGRESS);
    const erased = erasedResult(applied);
    expect(erased).toMatchObject({
      index: 3,
      external_record_id: null,
      status: 'success',
      outcome: 'updated',
      erased: true,
    });
    expect(erased).toMatchObject({ progress: null, warnings: [{ warning_code: 'unknown_field_ignored' }] });
    expect(JSON.stringify(erased)).not.toContain('ann');
    const rejected = errorResult(applied, [{ error_code: 'user_not_found', message: 'ann', field: 'ann' }]);
    expect(JSON.stringify(erasedResult(rejected))).not.toContain('ann');
  });

  it('the rest of an erased record that was not processed is a rejection', () => {
    expect(planErased(2).result).toMatchObject({ index: 2, status: 'error', erased: true });
  });

  it('the result of another user whose record lost its id to the person does not name the person', () => {
    const lost = conflictResult(result, PAIR);
    expect(withoutHolder(lost, 7)).toEqual(conflictResult(result, { ...PAIR, user_id: null }));
    expect(withoutHolder(lost, 70)).toBe(lost);
  });
});

const named = addressFinder(['ann@acme.test', 'jürgen.o+x@acme.test']);

describe('addressFinder', () => {
  it.each([
    ['any case', 'ANN@Acme.TEST'],
    ['blanks in it', 'ann @ acme . test'],
    ['an invisible character in it', 'an\u200bn@acme.test'],
    ['a direction mark around it', '\u202aann@acme.test\u202c'],
    ['wide letters', 'ａｎｎ＠ａｃｍｅ．ｔｅｓｔ'],
    ['percent-encoding', 'ann%40acme.test'],
    ['percent-encoding twice', 'ann%2540acme.test'],
    ['an encoded invisible character in it', 'ann%E2%80%8B@acme.test'],
    ['an invisible character in its encoding', 'ann%4\u200b0acme.test'],
    ['letters beyond ASCII', 'JÜRGEN.O+X@acme.test'],
    ['decomposed letters', 'ju\u0308rgen.o+x@acme.test'],
    ['a text around it', 'write to <ann@acme.test>, please'],
  ])('addressFinder: an address with %s → true', (_, text) => {
    expect(named(text)).toBe(true);
  });

  it.each([
    ['a longer address', 'joann@acme.test'],
    ['a longer domain', 'ann@acme.test.org'],
    ['another domain', 'ann@acmextest'],
    ['an encoded letter before it', 'jo%61nn@acme.test'],
  ])('addressFinder: %s → false', (_, text) => {
    expect(named(text)).toBe(false);
  });

  it('addressFinder: an address of any characters → it finds the address itself', () => {
    for (const letter of Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter(
      (each) => each !== '@',
    ))
      expect([letter, addressFinder([`a${letter}n@acme.test`])(`a${letter}n@acme.test`)]).toEqual([letter, true]);
  });

  it('addressFinder: a text of one megabyte of any character → an answer within a second of processor time', () => {
    const costs = ['a', ' ', '%', '%4', '\u200b', '@', '.', 'an', 'a ', '%25'].map((text) => {
      const { user } = process.cpuUsage();
      named(text.repeat(2 ** 20 / text.length));
      return process.cpuUsage().user - user;
    });
    expect(Math.max(...costs)).toBeLessThan(1_000_000);
  });
});

it('spelledId: two spellings of one id → the same text', () => {
  const spellings = ['Emp-7', ' emp-7', 'EMP-7\u200b', 'emp%2D7', 'ｅｍｐ-7', 'e m p-7'];
  expect(new Set(spellings.map(spelledId))).toEqual(new Set(['emp-7']));
  expect(spelledId('emp-71')).not.toBe('emp-7');
});
