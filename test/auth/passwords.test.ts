/** Password hashes. Most at a toy cost, one at the real one; costs a second. */
import { describe, expect, it } from 'vitest';
import { OWASP_COST, isAffordableHash, rememberingPasswords, scryptPasswords } from '../../functions/auth/passwords.ts';
import { secureRandom } from '../../functions/runtime/system.ts';
import { CHEAP } from '../kit/auth-services.ts';

const passwords = scryptPasswords(secureRandom, CHEAP);

describe('a password', () => {
  it('a password verifies against its own hash only', async () => {
    const phc = await passwords.hash('changeme');
    expect(await passwords.verify('changeme', phc)).toBe(true);
    expect(await passwords.verify('Changeme', phc)).toBe(false);
    expect(await passwords.verify('', phc)).toBe(false);
  });

  it('each hash has its own salt: equal passwords have unequal hashes', async () => {
    expect(await passwords.hash('changeme')).not.toBe(await passwords.hash('changeme'));
  });

  it('passwords are compared byte by byte, without normalisation', async () => {
    const phc = await passwords.hash('caf\u00e9');
    expect(await passwords.verify('cafe\u0301', phc)).toBe(false);
  });

  it('a password is hashed at the recommended cost by default, and still verifies when the cost changes', async () => {
    const recommended = scryptPasswords(secureRandom);
    const phc = await recommended.hash('changeme');
    expect(phc).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await passwords.verify('changeme', phc)).toBe(true);
    expect(OWASP_COST).toEqual({ ln: 15, r: 8, p: 3 });
  });

  it('a hash needs renewal if its cost is not the current one', async () => {
    const phc = await passwords.hash('changeme');
    expect(passwords.needsRehash(phc)).toBe(false);
    expect(scryptPasswords(secureRandom).needsRehash(phc)).toBe(true);
    expect(passwords.needsRehash('not a hash')).toBe(true);
  });

  it.each([
    ['there is no hash', undefined],
    ['the hash is unreadable', 'plain text'],
    ['the hash has another scheme', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA'],
  ])('no password verifies where %s', async (_, phc) => {
    expect(await passwords.verify('', phc)).toBe(false);
    expect(await passwords.verify('changeme', phc)).toBe(false);
  });

  it('an empty password never verifies, not even against its own hash', async () => {
    expect(await passwords.verify('', await passwords.hash(''))).toBe(false);
  });

  it('a password of more than 1,024 bytes never verifies, nor does one that is no text', async () => {
    const long = 'é'.repeat(513);
    expect(await passwords.verify(long, await passwords.hash(long))).toBe(false);
    expect(await passwords.verify('\ud800', await passwords.hash('\ufffd'))).toBe(false);
    expect(await passwords.verify(long, await passwords.hash(''))).toBe(false);
    const longest = 'é'.repeat(512);
    expect(await passwords.verify(longest, await passwords.hash(longest))).toBe(true);
  });
});

it('a load computes no hash twice', async () => {
  const calls: string[] = [];
  const remembering = rememberingPasswords({
    hash: (password) => (calls.push(`hash ${password}`), passwords.hash(password)),
    verify: (password, phc) => (calls.push(`verify ${password}`), passwords.verify(password, phc)),
  });
  const [one, again, two] = await Promise.all(['one', 'one', 'two'].map(remembering.hash));
  expect([one === again, one === two]).toEqual([true, false]);
  const verify = (password: string) => remembering.verify(password, one ?? '');
  expect([await verify('one'), await verify('one'), await verify('two')]).toEqual([true, true, false]);
  expect(calls).toEqual(['hash one', 'hash two', 'verify one', 'verify two']);
});

const SALT_AND_HASH = `$${'A'.repeat(22)}$${'A'.repeat(43)}`;

it.each([
  ['our own', 'ln=15,r=8,p=3', true],
  ["OWASP's largest", 'ln=17,r=8,p=1', true],
  ['the least', 'ln=14,r=8,p=1', true],
  ['a weak one', 'ln=13,r=8,p=1', false],
  ['one that would take a gigabyte', 'ln=20,r=8,p=1', false],
  ['one without rounds of its own', 'ln=15,r=8,p=0', false],
])('a hash of another system is taken over within bounds: %s', (_, cost, expected) => {
  expect(isAffordableHash(`$scrypt$${cost}${SALT_AND_HASH}`)).toBe(expected);
});

it.each([undefined, 7, '', 'changeme', `$argon2id$ln=15,r=8,p=3${SALT_AND_HASH}`])(
  '%j is no hash that a login can verify',
  (value) => {
    expect(isAffordableHash(value)).toBe(false);
  },
);
