/** Signs what the stack knows of a run (§4.10): a compact JWS (RFC 7515) of its own type, by a key that signs nothing else. */
import { createHash } from 'node:crypto';
import type { EvidenceSigner } from '../auth/tokens.ts';
import { jsonText } from '../records/json.ts';
import type { Run } from '../shared/model.ts';

/** No token has this type, and evidence has no type of a token (RFC 8725, section 3.11). */
export const EVIDENCE_TYPE = 'migration-evidence+jwt';

export interface EvidencePayload {
  readonly iss: string;
  readonly iat: number;
  readonly company_id: string;
  readonly run_id: string;
  /** Of the service. */
  readonly version: string;
  readonly signed_by: { readonly user_id: number; readonly email: string };
  readonly reason: string;
  readonly statement?: unknown;
  readonly counts: Run['counts'];
  readonly imports_digest: string;
  readonly imports: number;
}

/** @returns the compact JWS; the caller has published the key */
export async function signEvidence(payload: EvidencePayload, kid: string, signer: EvidenceSigner): Promise<string> {
  const input = `${encoded({ alg: 'ES256', typ: EVIDENCE_TYPE, kid })}.${encoded(payload)}`;
  const signature = await signer.signDigest(createHash('sha256').update(input, 'ascii').digest());
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

const encoded = (value: unknown): string => Buffer.from(jsonText(value), 'utf8').toString('base64url');
