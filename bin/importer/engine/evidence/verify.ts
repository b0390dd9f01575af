/**
 * Verifies evidence of a run (§4.10) without the service: its signature, then the list of imports against the signed digest, then
 * results and records against the digests of the list. Runs in Node and in a browser.
 */
import type { EvidenceEntry } from '../../wire/types.ts';
import type { Finding } from './finding.ts';
import { countsFinding, type Listed, listFindings } from './imports.ts';
import { type EvidencePayload, openEvidence } from './jws.ts';
import { checkResults, type GivenResult } from './results.ts';

export interface GivenEvidence {
  /** A compact JWS. */
  readonly evidence: string;
  /** The `keys` of a JWKS. */
  readonly keys: readonly unknown[];
  /** The list of `GET …/evidence`, all pages; `undefined` if it is not given. */
  readonly imports?: readonly unknown[] | undefined;
  /** The list of `GET runs/{run_id}/records`, with or without `include=record`; `undefined` if it is not given. */
  readonly results?: AsyncIterable<GivenResult> | undefined;
}

export interface Verification {
  /** Nothing differs or has changed. What was not given does not count. */
  readonly holds: boolean;
  readonly findings: readonly Finding[];
  /** `undefined` if the signature does not hold: then nothing in it may be believed. */
  readonly payload: EvidencePayload | undefined;
  readonly kid: string | undefined;
  /** As they were given, if they are those that were signed; else `undefined`. */
  readonly imports: readonly EvidenceEntry[] | undefined;
}

/** @param onResult is given each result of an import of the list, for reports */
export async function verifyEvidence(
  { evidence, keys, imports, results }: GivenEvidence,
  onResult?: (result: unknown) => void,
): Promise<Verification> {
  const opened = await openEvidence(evidence, keys);
  if (opened.is !== 'signed') {
    const { is: code, ...values } = opened;
    const refused: Finding = {
      check: 'signature',
      status: 'differs',
      code,
      values: { iss: 'the service', ...values },
    };
    return { holds: false, findings: [refused], payload: undefined, kid: undefined, imports: undefined };
  }
  const { kid, payload } = opened;
  const at = new Date(payload.iat * 1000).toISOString();
  const listed = imports === undefined ? NO_LIST : listFindings(payload, imports);
  const { entries } = listed;
  const findings: readonly Finding[] = [
    { check: 'signature', status: 'holds', code: opened.is, values: { kid, iss: payload.iss, at } },
    ...listed.findings,
    // Without the list that was signed, its digests of results prove nothing.
    ...(entries === undefined
      ? []
      : [countsFinding(payload, entries), ...(await resultFindings(entries, results, onResult))]),
  ];
  const holds = findings.every(({ status }) => status === 'holds' || status === 'unchecked');
  return { holds, findings, payload, kid, imports: entries };
}

const NO_LIST = {
  findings: [{ check: 'imports', status: 'unchecked', code: 'no list', values: {} }],
  entries: undefined,
} satisfies Listed;

async function resultFindings(
  entries: readonly EvidenceEntry[],
  results: GivenEvidence['results'],
  onResult: ((result: unknown) => void) | undefined,
): Promise<Finding[]> {
  if (results === undefined) return [{ check: 'results', status: 'unchecked', code: 'no results', values: {} }];
  return checkResults(entries, results, onResult);
}
