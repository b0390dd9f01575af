/** Tokens of a wrong form: missing, cut, joined, re-encoded, or not signed with our key. */
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { localSigner } from '../../kit/local-signer.ts';
import { encoded, signed, signingInput, sessionDraft, type Kind } from '../support/forge.ts';
import type { Target } from '../support/target.ts';
import {
  ADMIN_OF_OTHER,
  ADMIN_OF_OWN,
  tampered,
  text,
  type TokenClass,
  validToken,
  around,
  header,
  OWN_ADMIN,
} from './token-class.ts';

type Parts = readonly [header: string, claims: string, signature: string];
const partsOf = (token: string): Parts => token.split('.') as unknown as Parts;
const other = (kind: Kind): Kind => (kind === 'access' ? 'refresh' : 'access');

/** Parts of two valid tokens, joined. */
function glued(name: string, put: (own: Parts, foreign: Parts, unlike: Parts) => Parts): TokenClass {
  const make: TokenClass['make'] = async (target, kind) => {
    const foreign = await signed(await sessionDraft(target, ADMIN_OF_OTHER, kind), target.signer);
    const unlike = await validToken(target, other(kind));
    return put(partsOf(await validToken(target, kind)), partsOf(foreign), partsOf(unlike)).join('.');
  };
  return { name, outcome: 'refused', make };
}

/** A valid token under another algorithm or a foreign key. */
function resigned(
  name: string,
  members: object,
  signature: (input: string, target: Target) => Promise<Buffer> | Buffer,
): TokenClass {
  const make: TokenClass['make'] = async (target, kind) => {
    const { header, claims } = await sessionDraft(target, ADMIN_OF_OWN, kind);
    const input = signingInput({ header: { ...header, ...members }, claims });
    return `${input}.${(await signature(input, target)).toString('base64url')}`;
  };
  return { name, outcome: 'refused', make };
}

const ours = async (input: string, { signer }: Target) => Buffer.from(await signer.sign(Buffer.from(input)));
const stranger = localSigner();
const { jwk: strangeJwk, kid: strangeKid } = await stranger.publicKey();
const strange = async (input: string) => Buffer.from(await stranger.sign(Buffer.from(input)));
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const nothing = Buffer.alloc(0);

const publicJwk = async ({ signer }: Target) => (await signer.publicKey()).jwk;
async function publicPem(target: Target): Promise<string> {
  const key = createPublicKey({ key: { ...(await publicJwk(target)) }, format: 'jwk' });
  return key.export({ format: 'pem', type: 'spki' }) as string;
}
const hmac = (secret: string, input: string) => createHmac('sha256', secret).update(input).digest();

/** ASN.1 as openssl and KMS write it, where JWS wants r‖s. */
function der(raw: Buffer): Buffer {
  const integer = (digits: Buffer) => Buffer.concat([Buffer.from([2, digits.length + 1, 0]), digits]);
  const body = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

const signatureOf = (change: (signature: Buffer) => Buffer) => (token: string) => {
  const [head, claims, signature] = partsOf(token);
  return `${head}.${claims}.${change(Buffer.from(signature, 'base64url')).toString('base64url')}`;
};
const flipped = (at: number) => (bytes: Buffer) => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

/** The same bits in another encoding: the last letter of a 64-byte signature has four spare bits. */
function spareBits(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.slice(-1)) ^ 1];
}

export const FORM_CLASSES: readonly TokenClass[] = [
  text('two dots', '..'),
  text('a JWE', 'eyJhbGciOiJkaXIifQ.a.b.c.d'),
  text('null in every part', 'bnVsbA.bnVsbA.bnVsbA'),
  text('a list for a header', `${encoded([])}.${encoded({})}.AAAA`),
  glued('our header and claims, the signature of another token', ([head, claims], [, , signature]) => [
    head,
    claims,
    signature,
  ]),
  glued('the claims of another token', ([head, , signature], [, claims]) => [head, claims, signature]),
  glued('the header of the other kind', ([, claims, signature], _, [head]) => [head, claims, signature]),
  glued('the claims of the other kind', ([head, , signature], _, [, claims]) => [head, claims, signature]),
  { ...text('the other kind', ''), make: (target, kind) => validToken(target, other(kind)) },
  resigned('alg none, unsigned', { alg: 'none' }, () => nothing),
  resigned('alg none, signed', { alg: 'none' }, ours),
  resigned('no alg', { alg: undefined }, ours),
  resigned('alg in lower case', { alg: 'es256' }, ours),
  resigned('alg a list', { alg: ['ES256'] }, ours),
  resigned('HS256 with the public key as JWK', { alg: 'HS256' }, async (input, target) =>
    hmac(JSON.stringify(await publicJwk(target)), input),
  ),
  resigned('HS256 with the public key as PEM', { alg: 'HS256' }, async (input, target) =>
    hmac(await publicPem(target), input),
  ),
  resigned('HS256 with an empty secret', { alg: 'HS256' }, (input) => hmac('', input)),
  resigned('RS256', { alg: 'RS256' }, (input) => sign('sha256', Buffer.from(input), rsa)),
  resigned('ES384', { alg: 'ES384' }, ours),
  resigned("a stranger's key under our key id", {}, strange),
  resigned("a stranger's key under its own id", { kid: strangeKid }, strange),
  resigned('a jwk of its own', { jwk: strangeJwk, kid: strangeKid }, strange),
  resigned('a jku', { jku: 'https://evil.example/jwks.json', kid: strangeKid }, strange),
  tampered('a DER signature', signatureOf(der)),
  tampered(
    'a signature of zeros',
    signatureOf(() => Buffer.alloc(64)),
  ),
  tampered('a signature with one bit flipped', signatureOf(flipped(0))),
  tampered(
    'a signature cut by a byte',
    signatureOf((bytes) => bytes.subarray(0, 63)),
  ),
  tampered('no signature', (token) => `${partsOf(token)[0]}.${partsOf(token)[1]}.`),
  tampered('two parts', (token) => `${partsOf(token)[0]}.${partsOf(token)[1]}`),
  tampered('a part more', (token) => `${token}.${partsOf(token)[2]}`),
  tampered('cut in the middle', (token) => token.slice(0, token.length / 2)),
  tampered('padded', (token) => `${token}==`),
  tampered('spare bits set', spareBits),
  tampered('the header re-encoded with blanks', (token) => {
    const [head, claims, signature] = partsOf(token);
    const spaced = Buffer.from(` ${Buffer.from(head, 'base64url').toString()}`).toString('base64url');
    return `${spaced}.${claims}.${signature}`;
  }),
];

export const HEADER_CLASSES: readonly TokenClass[] = [
  header('no header', 'absent', undefined),
  header('an empty header', 'malformed', ''),
  header('the scheme alone', 'malformed', 'Bearer'),
  header('the scheme and a blank', 'malformed', 'Bearer '),
  header('another scheme', 'malformed', 'Basic YWRtaW46YWRtaW4='),
  header('a digest', 'malformed', 'Digest username="admin"'),
  around('a token without a scheme', 'malformed', (token) => token),
  around('the scheme misspelt', 'malformed', (token) => `Bearer: ${token}`),
  around('two tokens', 'malformed', (token) => `Bearer ${token}, Bearer ${token}`),
  around('two blanks', 'malformed', (token) => `Bearer  ${token}`),
  around('a tab for the blank', 'malformed', (token) => `Bearer\t${token}`),
  around('a token in quotes', 'malformed', (token) => `Bearer "${token}"`),
  around('words after the token', 'malformed', (token) => `Bearer ${token} admin`),
  around('a letter beyond ASCII', 'malformed', (token) => `Bearer ${token}é`),
  { ...around('a NUL after the token', 'malformed', (token) => `Bearer ${token}\0`), inProcessOnly: true },
  { ...around('a line break after the token', 'malformed', (token) => `Bearer ${token}\r\nx: y`), inProcessOnly: true },
  header('10 KB of one letter', 'refused', `Bearer ${'a'.repeat(10_240)}`),
  around('the scheme in other letter case', OWN_ADMIN, (token) => `bEaReR ${token}`),
];
