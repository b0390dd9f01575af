/** The resolve operation (§4.2 operation 2) on a table in memory. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { handler as resolveUsers } from '../../functions/handlers/resolve-users.ts';
import { call, useAcme } from './acme.ts';

const acme = useAcme();
const resolve = (emails: unknown) => call(acme(), resolveUsers.operation, 'ResolveReport', { body: { emails } });

describe('users/resolve', () => {
  it('the response has a result for every address in the order sent, repeats included', async () => {
    const { users, counts } = await resolve([
      'bo@acme.test',
      'ANA@acme.test',
      'nobody@acme.test',
      'cy@other.test',
      'ana@acme.test',
      'x',
      5,
      null,
    ]);
    expect(users.map((user) => [user.email, user.status, user.user_id, user.errors[0]?.error_code])).toEqual([
      ['bo@acme.test', 'inactive', 8, 'user_inactive'],
      ['ANA@acme.test', 'active', 7, undefined],
      ['nobody@acme.test', 'not_found', null, 'user_not_found'],
      ['cy@other.test', 'not_found', null, 'user_not_found'],
      ['ana@acme.test', 'active', 7, undefined],
      ['x', 'invalid', null, 'invalid_record'],
      [null, 'invalid', null, 'invalid_record'],
      [null, 'invalid', null, 'invalid_record'],
    ]);
    expect(counts).toEqual({ active: 2, inactive: 1, not_found: 2, invalid: 3 });
  });

  it('each message is a sentence that says what is wrong', async () => {
    const { users } = await resolve(['x', 'nobody@acme.test', 'bo@acme.test']);
    expect(users.map((user) => user.errors[0]?.message)).toEqual([
      'email must be an e-mail address of at most 254 characters.',
      'No user in this company has this e-mail address.',
      'This user has no active license.',
    ]);
  });
});
