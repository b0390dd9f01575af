import { describe } from 'vitest';
import { errorTable } from './error-table.ts';
import { record } from './fixtures.ts';

const user = (members: unknown) => record({ user: members });

describe('user', () => {
  errorTable([
    ['no identifier', user({}), 'invalid_record user.email'],
    ['identifiers that are null', user({ email: null, external_user_id: null }), 'invalid_record user.email'],
    ['an e-mail that is a number', user({ email: 5 }), 'invalid_record user.email'],
    ['an e-mail that is no address', user({ email: 'ana' }), 'invalid_record user.email'],
    ['an external id that is a fraction', user({ external_user_id: 1.5 }), 'invalid_record user.external_user_id'],
    ['an external id that is empty', user({ external_user_id: '' }), 'invalid_record user.external_user_id'],
    ['an external id that is an object', user({ external_user_id: {} }), 'invalid_record user.external_user_id'],
    [
      'both malformed',
      user({ email: 'ana', external_user_id: true }),
      'invalid_record user.email',
      'invalid_record user.external_user_id',
    ],
    [
      'a malformed identifier keeps the other from being resolved',
      user({ email: 'nobody@acme.test', external_user_id: true }),
      'invalid_record user.external_user_id',
    ],
    ['any ASCII letter case resolves', user({ email: 'ANA@ACME.TEST' })],
    ['an unknown address', user({ email: 'nobody@acme.test' }), 'user_not_found user.email'],
    ['an inactive user', user({ email: 'gone@acme.test' }), 'user_inactive user.email'],
    ['an external id resolves', user({ external_user_id: 'ext-ana' })],
    ['a number and its digits are the same external id', user({ external_user_id: 9101 })],
    [
      'an external id never registered',
      user({ external_user_id: 'ext-x' }),
      'external_user_id_not_mapped user.external_user_id',
    ],
    [
      'an external id of a user now inactive',
      user({ external_user_id: 'ext-gone' }),
      'user_inactive user.external_user_id',
    ],
    [
      'an external id of a user who is gone',
      user({ external_user_id: 'ext-deleted' }),
      'user_not_found user.external_user_id',
    ],
    [
      'an address that belongs to somebody else by now',
      user({ external_user_id: 'ext-renamed' }),
      'user_not_found user.external_user_id',
    ],
    ['both agree', user({ email: 'ana@acme.test', external_user_id: 'ext-ana' })],
    [
      'both resolve to different users',
      user({ email: 'ana@acme.test', external_user_id: 'ext-ben' }),
      'identifier_mismatch user',
    ],
    [
      'both unknown',
      user({ email: 'nobody@acme.test', external_user_id: 'ext-x' }),
      'user_not_found user.email',
      'external_user_id_not_mapped user.external_user_id',
    ],
    [
      'each must resolve before they are compared',
      user({ email: 'ana@acme.test', external_user_id: 'ext-gone' }),
      'user_inactive user.external_user_id',
    ],
  ]);
});
