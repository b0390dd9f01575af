import { expect, it } from 'vitest';
import { hasActiveLicense } from '../../functions/records/identifiers.ts';
import { ANA } from './fixtures.ts';

it.each([
  ['an active license', ANA, true],
  ['an inactive license', { ...ANA, license: 'inactive' as const }, false],
  ['no user', undefined, false],
])('hasActiveLicense: %s → %j', (_reason, user, expected) => {
  expect(hasActiveLicense(user)).toBe(expected);
});
