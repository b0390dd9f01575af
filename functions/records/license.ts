import type { License } from '../shared/codes.ts';

/**
 * Whether there is a user with an active license. Only such users log in, use the interface, and have progress migrated
 * (§2.5, §2.7, §5).
 *
 * @example
 * hasActiveLicense({ license: 'active' }); // => true
 * hasActiveLicense({ license: 'inactive' }); // => false
 * hasActiveLicense(undefined); // => false
 */
export function hasActiveLicense<User extends { readonly license: License }>(
  user: User | undefined,
): user is User & { readonly license: 'active' } {
  return user?.license === 'active';
}
