import { expect, it } from 'vitest';
import { rateMs } from '../../bin/local/schedules.ts';

it.each([
  ['rate(1 minute)', 60_000],
  ['rate(5 minutes)', 300_000],
  ['rate(2 hours)', 7_200_000],
])('%s is a period of %i ms', (expression, ms) => {
  expect(rateMs(expression)).toBe(ms);
});

it('a schedule of another kind is refused, not ignored', () => {
  expect(() => rateMs('cron(0 12 * * ? *)')).toThrow('cron');
});
