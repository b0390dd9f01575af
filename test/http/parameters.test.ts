/** The query parameters of a request, each by its rule (§4). Pure; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { choiceFrom, instantFrom, limitFrom } from '../../functions/http/parameters.ts';

const range = { max: 500, fallback: 100 };
const rejectedAt = (field: string) =>
  expect.objectContaining({ problem: expect.objectContaining({ error_code: 'invalid_request', field }) });

describe('limit', () => {
  it('limit: absent → the default; a number in range → that number', () => {
    expect(limitFrom({}, range)).toBe(100);
    expect(['1', '500'].map((limit) => limitFrom({ limit }, range))).toEqual([1, 500]);
  });

  it.each(['', '0', '-1', '501', '1.5', '1e2', '+5', ' 5', '0x10', '5,6', '٣', 'NaN'])(
    'limit: %j → a problem',
    (limit) => {
      expect(() => limitFrom({ limit }, range)).toThrow(rejectedAt('limit'));
    },
  );
});

describe('a choice', () => {
  const statuses = ['success', 'error'] as const;

  it('a choice: absent → absent; each of its values → that value', () => {
    expect(choiceFrom({}, 'status', statuses)).toBeUndefined();
    expect(choiceFrom({ status: 'error' }, 'status', statuses)).toBe('error');
  });

  it.each(['', 'Error', 'error ', 'success,error', 'toString', '__proto__'])('a choice: %j → a problem', (status) => {
    expect(() => choiceFrom({ status }, 'status', statuses)).toThrow(rejectedAt('status'));
  });
});

describe('a date of a query', () => {
  it.each([
    ['2026-01-02T03:04:05 02:00', '2026-01-02T01:04:05.000Z'],
    ['20260102T0304 02', '2026-01-02T01:04:00.000Z'],
    ['2026-01-02T03:04:05-02:00', '2026-01-02T05:04:05.000Z'],
  ])('a plus sign that was not escaped is read as one: %s', (since, expected) => {
    expect(instantFrom({ since }, 'since')).toBe(expected);
  });

  it.each(['2026-01-02 03:04', '2026-01-02 0304', '2026-01-02T03:04 2:00', ' 2026-01-02'])(
    'another blank is refused: "%s"',
    (since) => {
      expect(() => instantFrom({ since }, 'since')).toThrow(rejectedAt('since'));
    },
  );
});
