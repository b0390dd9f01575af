/** Query parameters of lists. Pure; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { choiceFrom, limitFrom } from '../../functions/http/request.ts';

const range = { max: 500, fallback: 100 };
const rejectedAt = (field: string) =>
  expect.objectContaining({ problem: expect.objectContaining({ error_code: 'invalid_request', field }) });

describe('limit', () => {
  it('falls back where it is absent', () => {
    expect(limitFrom({}, range)).toBe(100);
  });

  it.each([
    ['1', 1],
    ['500', 500],
    ['42', 42],
  ])('takes %s', (limit, expected) => {
    expect(limitFrom({ limit }, range)).toBe(expected);
  });

  it.each([
    '',
    '0',
    '-1',
    '501',
    '1.5',
    '1e2',
    '+5',
    ' 5',
    '5 ',
    '0x10',
    'abc',
    '5,6',
    '٣',
    '9'.repeat(400),
    'NaN',
    'Infinity',
  ])('refuses %j', (limit) => {
    expect(() => limitFrom({ limit }, range)).toThrow(rejectedAt('limit'));
  });
});

describe('a choice', () => {
  const statuses = ['success', 'error'] as const;

  it('is absent where the parameter is', () => {
    expect(choiceFrom({}, 'status', statuses)).toBeUndefined();
  });

  it('takes each of its values', () => {
    expect(choiceFrom({ status: 'error' }, 'status', statuses)).toBe('error');
  });

  it.each(['', 'Error', 'error ', 'success,error', 'toString', '__proto__'])('refuses %j', (status) => {
    expect(() => choiceFrom({ status }, 'status', statuses)).toThrow(rejectedAt('status'));
  });
});
