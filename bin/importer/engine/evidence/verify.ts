/** Verifies evidence (§4.10) without the service: signature, the list by its signed digest, results by the list. */
import type { EvidenceEntry } from '../../wire/types.ts';
import { isObject } from '../../wire/values.ts';
import { type Said, say } from '../ground/codes.ts';
import { canonicalLine, Digest } from '../ground/digest.ts';
import { type EvidencePayload, type Opened, openEvidence } from './jws.ts';
import { checkResults, type GivenResult } from './results.ts';
import type { Finding } from './findings.ts';

/** What an auditor has to verify. */
export interface GivenEvidence {
  /** A compact JWS. */
  readonly evidence: string;
  /** The `keys` of a JWKS that did not come with the evidence: such keys prove nothing. `undefined` if none are given. */
  readonly keys?: readonly unknown[] | undefined;
  /** The list of `GET …/evidence`, all pages; `undefined` if it is not given. */
  readonly imports?: readonly unknown[] | undefined;
  /** The list of `GET runs/{run_id}/records`, with or without `include=record`; `undefined` if it is not given. */
  readonly results?: AsyncIterable<GivenResult> | undefined;
}

export type Verification = Awaited<ReturnType<typeof verifyEvidence>>;

/**
 * `holds`: nothing differs or has changed; what was not given does not count, but without keys it is `null`: nobody knows who
 * wrote it. `imports`: those given, if they are those of the payload.
 */
export async function verifyEvidence(
  { evidence, keys, imports, results }: GivenEvidence,
  onResult?: (result: unknown) => void,
) {
  const opened = await openEvidence(evidence, keys);
  if (opened.is === 'refused') {
    const finding: Finding = { check: 'signature', status: 'differs', said: opened.said };
    return { holds: false, findings: [finding], payload: undefined, kid: undefined, imports: undefined };
  }
  const { kid, payload } = opened;
  const listed = imports === undefined ? NO_LIST : listFindings(payload, imports);
  const { entries } = listed;
  const findings: readonly Finding[] = [
    signatureFinding(opened),
    ...listed.findings,
    // Without the list that was signed, its digests of results prove nothing.
    ...(entries === undefined
      ? []
      : [
          countsFinding(payload, entries),
          ...(results === undefined ? [NO_RESULTS] : await checkResults(entries, results, onResult)),
        ]),
  ];
  const allHold = findings.every(({ status }) => status === 'holds' || status === 'unchecked');
  const holds = opened.is === 'signed' ? allHold : null;
  return { holds, findings, payload, kid, imports: entries };
}

function signatureFinding({ is, kid, payload: { iss, iat } }: Exclude<Opened, { is: 'refused' }>): Finding {
  if (is === 'unchecked') return { check: 'signature', status: 'unchecked', said: say('evidence_no_keys', {}) };
  const at = new Date(iat * 1000).toISOString();
  return { check: 'signature', status: 'holds', said: say('evidence_signed', { kid, iss, at }) };
}

const NO_RESULTS = {
  check: 'results',
  status: 'unchecked',
  said: say('evidence_no_results', {}),
} satisfies Finding;

interface ListFindings {
  readonly findings: readonly Finding[];
  readonly entries: readonly EvidenceEntry[] | undefined;
}

const NO_LIST = {
  findings: [{ check: 'imports', status: 'unchecked', said: say('evidence_no_list', {}) }],
  entries: undefined,
} satisfies ListFindings;

type Earlier = (entry: EvidenceEntry) => EvidenceEntry;
const asGiven: Earlier = (entry) => entry;
const unerased: Earlier = ({ erased: _, ...entry }) => entry;

const refused = (said: Said): ListFindings => ({
  findings: [{ check: 'imports', status: 'differs', said }],
  entries: undefined,
});

/** The list as it was signed, and what came later: a list of today has later reverts, erasures and imports. */
function listFindings(payload: EvidencePayload, imports: readonly unknown[]): ListFindings {
  const { iat, imports: signed, imports_digest } = payload;
  const differ = say('evidence_imports_differ', {});
  if (!imports.every(isEntry)) return refused(differ);
  if (imports.length < signed) return refused(say('evidence_imports_fewer', { count: imports.length, signed }));
  const entries = imports.slice(0, signed);
  const isReverted = ({ reverted_at }: EvidenceEntry): boolean =>
    reverted_at !== null && Date.parse(reverted_at) >= iat * 1000;
  const unreverted: Earlier = (entry) => (isReverted(entry) ? { ...entry, reverted_at: null } : entry);
  const steps = [asGiven, unreverted].flatMap((first) => [asGiven, unerased].map((second) => [first, second] as const));
  const then = steps.find(
    ([first, second]) => digestOf(entries.map((entry) => second(first(entry)))) === imports_digest,
  );
  if (then === undefined) return refused(differ);
  const reverted = then[0] === unreverted ? entries.filter(isReverted) : [];
  const erased = then[1] === unerased ? entries.filter((entry) => entry.erased === true) : [];
  const added = imports.length - signed;
  return {
    findings: [
      { check: 'imports', status: 'holds', said: say('evidence_imports_hold', { count: signed }) },
      ...reverted.map(({ import_id, reverted_at }) =>
        changed(say('evidence_import_reverted', { import_id, at: reverted_at ?? '' }), import_id),
      ),
      ...erased.map(({ import_id }) => changed(say('evidence_import_erased', { import_id }), import_id)),
      ...(added > 0 ? [changed(say('evidence_imports_added', { count: added }))] : []),
    ],
    entries,
  };
}

const changed = (said: Said, import_id?: string): Finding => ({
  check: 'imports',
  status: 'changed',
  said,
  ...(import_id !== undefined && { import_id }),
});

function digestOf(values: readonly unknown[]): string {
  const digest = new Digest();
  for (const value of values) digest.update(canonicalLine(value));
  return digest.hex();
}

const COUNTS = ['total', 'processed', 'succeeded', 'failed', 'with_warnings'] as const;

function isEntry(value: unknown): value is EvidenceEntry {
  if (!isObject(value) || typeof value['import_id'] !== 'string') return false;
  const { counts, reverted_at } = value;
  const isInstant = reverted_at === null || typeof reverted_at === 'string';
  return isInstant && isObject(counts) && COUNTS.every((name) => typeof counts[name] === 'number');
}

function countsFinding({ counts }: EvidencePayload, entries: readonly EvidenceEntry[]): Finding {
  const sums = COUNTS.map((name) => [name, entries.reduce((sum, entry) => sum + entry.counts[name], 0)] as const);
  const archived = entries.reduce((sum, entry) => sum + (entry.counts.archived ?? 0), 0);
  const all = [...sums, ['archived', archived] as const, ['imports', entries.length] as const];
  // Evidence of an earlier version does not count the archive.
  const signed: Readonly<Record<string, number>> = { archived: 0, ...counts };
  const wrong = all.find(([name, sum]) => signed[name] !== sum);
  if (wrong === undefined) return { check: 'counts', status: 'holds', said: say('evidence_counts_hold', {}) };
  const [member, sum] = wrong;
  const differ = say('evidence_counts_differ', { member, sum, signed: signed[member] });
  return { check: 'counts', status: 'differs', said: differ };
}
