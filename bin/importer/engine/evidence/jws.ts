/** Evidence as it is signed (§4.10): a compact JWS (RFC 7515) with ES256, verified with given public keys (RFC 7517). */
import * as v from 'valibot';
import { isObject } from '../../wire/values.ts';
import { type Said, say } from '../ground/codes.ts';
import { Digest } from '../ground/digest.ts';
import type { EvidencePart } from '../ground/run-codes.ts';
import { jsonOf, utf8Of } from '../ground/text.ts';

const TYPE = 'migration-evidence+jwt';

const headerSchema = v.looseObject({
  alg: v.literal('ES256'),
  typ: v.literal(TYPE),
  kid: v.string(),
  // RFC 7515: extensions that a reader does not know are refused.
  crit: v.optional(v.undefined()),
});

const userOrMachine = v.nullable(v.number());
const planSchema = v.object({
  plan_digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  created_by: userOrMachine,
  approved_by: userOrMachine,
  approved_at: v.nullable(v.string()),
  comment: v.nullable(v.string()),
  applied_by: userOrMachine,
  applied_at: v.nullable(v.string()),
});

/** A plan of the run that was applied or cancelled. `null` for a machine, or where nobody approved it. */
export type EvidencePlan = v.InferOutput<typeof planSchema>;

const payloadSchema = v.looseObject({
  iss: v.string(),
  iat: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e12)),
  company_id: v.string(),
  run_id: v.string(),
  version: v.string(),
  signed_by: v.union([
    v.object({ user_id: v.number(), email: v.string() }),
    v.object({ client_id: v.string(), name: v.string() }),
  ]),
  reason: v.string(),
  statement: v.optional(v.unknown()),
  counts: v.record(v.string(), v.number()),
  imports_digest: v.string(),
  imports: v.number(),
  /** Absent in evidence of an earlier version. */
  plans: v.optional(v.array(planSchema)),
});

const coordinate = v.pipe(
  v.string(),
  v.check((text) => bytesOf(text)?.length === 32),
);
const keySchema = v.object({ kty: v.literal('EC'), crv: v.literal('P-256'), x: coordinate, y: coordinate });

export type EvidencePayload = v.InferOutput<typeof payloadSchema>;

/** Evidence with its payload, or why nothing in it may be believed. `unchecked`: no keys were given. */
export type Opened =
  | { readonly is: 'signed' | 'unchecked'; readonly kid: string; readonly payload: EvidencePayload }
  | { readonly is: 'refused'; readonly said: Said };

const refused = (said: Said): Opened => ({ is: 'refused', said });
const malformed = (part: EvidencePart): Opened => refused(say('evidence_malformed', { part }));

/** Verifies the signature. @param keys members of a JWKS; those of other types are passed over */
export async function openEvidence(jws: string, keys: readonly unknown[] | undefined): Promise<Opened> {
  const parts = jws.split('.');
  const [header, payload, signature] = parts.map(bytesOf);
  if (parts.length !== 3 || !header || !payload || !signature) return malformed('form');
  const checkedHeader = v.safeParse(headerSchema, valueOf(header));
  if (!checkedHeader.success) return malformed('header');
  const { kid } = checkedHeader.output;
  const signed = new TextEncoder().encode(jws.slice(0, jws.lastIndexOf('.')));
  const wrong =
    keys === undefined ? undefined : await wrongWith(keys, kid, (key) => isSignedBy(key, signature, signed));
  if (wrong !== undefined) return refused(wrong);
  const checked = v.safeParse(payloadSchema, valueOf(payload));
  if (!checked.success) return malformed('payload');
  return { is: keys === undefined ? 'unchecked' : 'signed', kid, payload: checked.output };
}

async function wrongWith(
  keys: readonly unknown[],
  kid: string,
  hasSigned: (key: Key) => Promise<boolean>,
): Promise<Said | undefined> {
  const named = keys.filter((key) => isObject(key) && key['kid'] === kid);
  if (named.length === 0) return say('evidence_unknown_key', { kid });
  const known = named.flatMap((key) => keyOf(key) ?? []).filter((key) => thumbprintOf(key) === kid);
  if (known.length === 0) return say('evidence_key_misnamed', { kid });
  const verified = await Promise.all(known.map(hasSigned));
  return verified.includes(true) ? undefined : say('evidence_forged', { kid });
}

type Key = v.InferOutput<typeof keySchema>;

function keyOf(key: unknown): Key | undefined {
  const { success, output } = v.safeParse(keySchema, key);
  return success ? output : undefined;
}

/** RFC 7638: the SHA-256 of the required members, in the order of their names. A `kid` that is no thumbprint can be worn by any key. */
const thumbprintOf = ({ crv, kty, x, y }: Key): string =>
  new Digest().update(JSON.stringify({ crv, kty, x, y })).base64url();

async function isSignedBy(key: Key, signature: Bytes, signed: Bytes): Promise<boolean> {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  try {
    const imported = await crypto.subtle.importKey('jwk', key, curve, false, ['verify']);
    return await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, imported, signature, signed);
  } catch (error) {
    // A key that is no point of the curve has signed nothing.
    if (error instanceof DOMException || error instanceof TypeError) return false;
    throw error;
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

const valueOf = (bytes: Bytes): unknown => jsonOf(utf8Of(bytes) ?? '');

/** Base64url as it is written, without padding: a text has one spelling, so that no character of evidence can be changed. */
function bytesOf(text: string): Bytes | undefined {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const isCanonical = btoa(binary).replaceAll('=', '') === text.replaceAll('-', '+').replaceAll('_', '/');
  return isCanonical ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined;
}
