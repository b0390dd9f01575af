/**
 * Verifies evidence of a run (§4.10) without the service: its signature, then the list of imports against the signed digest, then
 * results and records against the digests of the list. Runs in Node and in a browser.
 */
import type { Finding } from './finding.ts';
import { countsFinding, listFindings } from './imports.ts';
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
    return { holds: false, findings: [refused], payload: undefined, kid: undefined };
  }
  const { kid, payload } = opened;
  const at = new Date(payload.iat * 1000).toISOString();
  const findings: Finding[] = [
    { check: 'signature', status: 'holds', code: opened.is, values: { kid, iss: payload.iss, at } },
  ];
  if (imports === undefined) findings.push({ check: 'imports', status: 'unchecked', code: 'no list', values: {} });
  else findings.push(...(await checkList(payload, imports, results, onResult)));
  const holds = findings.every(({ status }) => status === 'holds' || status === 'unchecked');
  return { holds, findings, payload, kid };
}

async function checkList(
  payload: EvidencePayload,
  imports: readonly unknown[],
  results: GivenEvidence['results'],
  onResult: ((result: unknown) => void) | undefined,
): Promise<Finding[]> {
  const listed = listFindings(payload, imports);
  // Without the list that was signed, its digests of results prove nothing.
  if (listed.entries === undefined) return listed.findings;
  const { entries, findings } = listed;
  findings.push(countsFinding(payload, entries));
  if (results === undefined)
    return [...findings, { check: 'results', status: 'unchecked', code: 'no results', values: {} }];
  return [...findings, ...(await checkResults(entries, results, onResult))];
}
