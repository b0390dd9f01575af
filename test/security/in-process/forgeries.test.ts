/** Sound tokens changed at random, in volume, at the verifier. Costs about a minute; the long run ten times that. */
import { expect, it } from 'vitest';
import { tokenVerifier } from '../../../functions/auth/verify-token.ts';
import { localSigner } from '../../kit/local-signer.ts';
import { ADMIN_OF_OTHER, ADMIN_OF_OWN } from '../matrix/token-class.ts';
import { Dice } from '../../kit/dice.ts';
import { encoded, type Kind, signed, sessionDraft } from '../support/forge.ts';
import { HOSTILE_VALUES } from '../support/hostile-values.ts';
import { report, volume } from '../support/volume.ts';
import { createService } from '../support/world.ts';

const SEED = 20_260_102;
const AT_ONCE = 500;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/.~ \0é'.split('');

type Json = Record<string, unknown>;
interface Seen {
  readonly tokens: readonly string[];
  readonly strange: (input: string) => Promise<string>;
}
type Forgery = (seen: Seen, dice: Dice) => string | Promise<string>;

const partsOf = (token: string) => token.split('.') as [string, string, string];
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;

function spliced(text: string, dice: Dice): string {
  const at = dice.below(text.length);
  const character = dice.pick(ALPHABET);
  const rest = [text.slice(at + 1), text.slice(at), character + text.slice(at), character + text.slice(at + 1)];
  return text.slice(0, at) + dice.pick(rest);
}

function changed(object: Json, dice: Dice): Json {
  const name = dice.pick([...Object.keys(object), 'jwk', 'jku', 'x5u', 'crit', 'nbf', 'role', '__proto__']);
  const value = dice.oneIn(6) ? undefined : dice.pick(HOSTILE_VALUES);
  return Object.fromEntries([...Object.entries(object).filter(([member]) => member !== name), [name, value]]);
}

function flippedBit(part: string, dice: Dice): string {
  const bytes = Buffer.from(part, 'base64url');
  const at = dice.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
  return bytes.toString('base64url');
}

const FORGERIES: Readonly<Record<string, Forgery>> = {
  'characters of the text': ({ tokens }, dice) => {
    let text = dice.pick(tokens);
    for (let edits = 1 + dice.below(3); edits > 0; edits -= 1) text = spliced(text, dice);
    return text;
  },
  'a bit of one part': ({ tokens }, dice) => {
    const parts = partsOf(dice.pick(tokens));
    const at = dice.below(3);
    return parts.with(at, flippedBit(parts[at] ?? '', dice)).join('.');
  },
  'the header, under the old signature': ({ tokens }, dice) => {
    const [header, claims, signature] = partsOf(dice.pick(tokens));
    return `${encoded(changed(decoded(header), dice))}.${claims}.${signature}`;
  },
  'the claims, under the old signature': ({ tokens }, dice) => {
    const [header, claims, signature] = partsOf(dice.pick(tokens));
    return `${header}.${encoded(changed(decoded(claims), dice))}.${signature}`;
  },
  'parts of several tokens': ({ tokens }, dice) => [0, 1, 2].map((at) => partsOf(dice.pick(tokens))[at]).join('.'),
  "the claims, under a stranger's key": async ({ tokens, strange }, dice) => {
    const [header, claims] = partsOf(dice.pick(tokens));
    return strange(`${header}.${encoded(changed(decoded(claims), dice))}`);
  },
  'a signature of random bytes': ({ tokens }, dice) => {
    const [header, claims] = partsOf(dice.pick(tokens));
    return `${header}.${claims}.${Buffer.from(dice.hex(dice.pick([0, 1, 32, 63, 64, 64, 64, 65, 72])), 'hex').toString('base64url')}`;
  },
};

async function soundTokens() {
  const world = await createService();
  const tokens: Record<Kind, string[]> = { access: [], refresh: [] };
  for (const kind of ['access', 'refresh'] as const) {
    for (const who of [ADMIN_OF_OWN, ADMIN_OF_OWN, ADMIN_OF_OTHER]) {
      tokens[kind].push(await signed(await sessionDraft(world, who, kind), world.signer));
    }
  }
  return { world, tokens };
}

it('no forged token is accepted, and no forged token makes the verifier fail', async () => {
  const { world, tokens } = await soundTokens();
  const verifier = tokenVerifier({ ...world.parties, keys: world.stores.signingKeys });
  const verify = (kind: Kind, token: string) =>
    kind === 'access' ? verifier.verifyAccess(token, world.nowMs()) : verifier.verifyRefresh(token, world.nowMs());
  const stranger = localSigner();
  const strange = async (input: string) =>
    `${input}.${Buffer.from(await stranger.sign(Buffer.from(input))).toString('base64url')}`;
  const seen: Seen = { tokens: [...tokens.access, ...tokens.refresh], strange };
  const dice = new Dice(SEED);
  const wanted = volume(40_000, 1_000_000);
  const counts = new Map<string, number>();
  const accepted: string[] = [];
  let tried = 0;
  while (tried < wanted) {
    const forged = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const [name, forge] = dice.pick(Object.entries(FORGERIES));
        return { name, kind: dice.pick(['access', 'refresh'] as const), token: await forge(seen, dice) };
      }),
    );
    // A token that is equal to a seen one is no forgery.
    const fresh = forged.filter(({ kind, token }) => !tokens[kind].includes(token));
    const claims = await Promise.all(fresh.map(({ kind, token }) => verify(kind, token)));
    for (const [at, { name, token }] of fresh.entries()) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (claims[at] !== undefined) accepted.push(`${name}: ${token}`);
    }
    tried += fresh.length;
  }
  expect(accepted).toEqual([]);
  report(`forged tokens at the verifier: ${tried} tried, ${accepted.length} accepted, seed ${SEED}`);
  for (const [name, count] of counts) report(`  ${name}: ${count}`);
  for (const kind of ['access', 'refresh'] as const) {
    for (const token of tokens[kind]) expect(await verify(kind, token)).toBeDefined();
  }
});
