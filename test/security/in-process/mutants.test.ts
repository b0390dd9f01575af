/**
 * Each check of who may pass, taken out of the sources in turn: the token classes must notice. Costs about ten seconds.
 */
import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { cells } from '../matrix/matrix.ts';
import { CLAIM_CLASSES } from '../matrix/claim-classes.ts';
import { FORM_CLASSES } from '../matrix/form-classes.ts';
import { MUTANTS } from '../support/mutants.ts';
import { type Access, gateOf } from '../support/verifier-world.ts';
import { report } from '../support/volume.ts';

const ROUTE_OF: Readonly<Record<Access, string>> = { session: 'get-profile', migration: 'list-courses' };

/** Names of the classes that are answered otherwise than they must be. */
async function noticedBy(mutant: string): Promise<string[]> {
  const { world, ask } = await gateOf(mutant);
  const noticed = new Set<string>();
  for (const access of ['session', 'migration'] as const) {
    for (const { route, tokenClass, carrier, company, expected } of cells(['acme', 'ACME', 'globex', 'dormant'])) {
      if (route.name !== ROUTE_OF[access] || carrier !== 'header') continue;
      const made = await tokenClass.make(world, 'access');
      const authorization = tokenClass.isHeader || made === undefined ? made : `Bearer ${made}`;
      if ((await ask(access, authorization, company ?? '')) !== expected) noticed.add(tokenClass.name);
    }
  }
  return [...noticed];
}

/** Tokens that are not worth a key, by their header alone, for which one was looked up all the same. */
async function keysReadInVain(mutant: string): Promise<string[]> {
  const { world, ask, keyReads } = await gateOf(mutant);
  const read: string[] = [];
  for (const { name, make } of [...FORM_CLASSES, ...CLAIM_CLASSES]) {
    const token = (await make(world, 'access')) ?? '';
    if (isWorthAKey(token)) continue;
    keyReads.count = 0;
    await ask('session', `Bearer ${token}`, '');
    if (keyReads.count > 0) read.push(name);
  }
  return read;
}

function isWorthAKey(token: string): boolean {
  try {
    const { alg, crit, kid } = decodeProtectedHeader(token);
    return alg === 'ES256' && crit === undefined && /^[\w-]{43}$/.test(kid ?? '');
  } catch {
    return false;
  }
}

it('the sources as they are answer every class as they must, and look up no key in vain', async () => {
  expect(await noticedBy('none')).toEqual([]);
  expect(await keysReadInVain('none')).toEqual([]);
});

describe('a broken variant is noticed', () => {
  it.each(Object.keys(MUTANTS).filter((name) => name !== 'none'))('%s', async (mutant) => {
    const noticed = [...(await noticedBy(mutant)), ...(await keysReadInVain(mutant))];
    expect(noticed).not.toEqual([]);
    report(`mutant ${mutant}: killed by ${noticed.length} classes, for one "${noticed[0]}"`);
  });
});
