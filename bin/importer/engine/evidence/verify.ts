/** Verifies evidence (§4.10) without the service: signature, the list by its signed digest, results by the list. */
import type { EvidenceEntry } from '../../wire/types.ts';
import { isObject } from '../../wire/values.ts';
import { canonicalLine, Digest } from '../ground/digest.ts';
import { type EvidencePayload, openEvidence } from './jws.ts';
import { checkResults, type GivenResult } from './results.ts';
import type { EvidenceCode, Finding } from './words.ts';

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

export type Verification = Awaited<ReturnType<typeof verifyEvidence>>;

/** `holds`: nothing differs or has changed; what was not given does not count. `imports`: those given, if they were signed. */
export async function verifyEvidence(
  { evidence, keys, imports, results }: GivenEvidence,
  onResult?: (result: unknown) => void,
) {
  const opened = await openEvidence(evidence, keys);
  if (opened.is !== 'signed') {
    const { is: code, ...values } = opened;
    const refused: Finding = {
      check: 'signature',
      status: 'differs',
      code,
      values: { iss: 'the service', ...values },
    };
    // Nothing in it may be believed.
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
      : [
          countsFinding(payload, entries),
          ...(results === undefined ? [NO_RESULTS] : await checkResults(entries, results, onResult)),
        ]),
  ];
  const holds = findings.every(({ status }) => status === 'holds' || status === 'unchecked');
  return { holds, findings, payload, kid, imports: entries };
}

const NO_RESULTS = {
  check: 'results',
  status: 'unchecked',
  code: 'no results',
  values: {},
} satisfies Finding;

interface Listed {
  readonly findings: readonly Finding[];
  readonly entries: readonly EvidenceEntry[] | undefined;
}

const NO_LIST = {
  findings: [{ check: 'imports', status: 'unchecked', code: 'no list', values: {} }],
  entries: undefined,
} satisfies Listed;

type Earlier = (entry: EvidenceEntry) => EvidenceEntry;
const asGiven: Earlier = (entry) => entry;
const unerased: Earlier = ({ erased: _, ...entry }) => entry;

/** The list as it was signed, and what came later: a list of today has later reverts, erasures and imports. */
function listFindings(payload: EvidencePayload, imports: readonly unknown[]): Listed {
  const { iat, imports: signed, imports_digest } = payload;
  const refused = (code: EvidenceCode): Listed => ({
    findings: [{ check: 'imports', status: 'differs', code, values: { count: imports.length, signed } }],
    entries: undefined,
  });
  if (!imports.every(isEntry)) return refused('imports differ');
  if (imports.length < signed) return refused('imports fewer');
  const entries = imports.slice(0, signed);
  const isReverted = ({ reverted_at }: EvidenceEntry): boolean =>
    reverted_at !== null && Date.parse(reverted_at) >= iat * 1000;
  const unreverted: Earlier = (entry) => (isReverted(entry) ? { ...entry, reverted_at: null } : entry);
  const steps = [asGiven, unreverted].flatMap((first) => [asGiven, unerased].map((second) => [first, second] as const));
  const then = steps.find(
    ([first, second]) => digestOf(entries.map((entry) => second(first(entry)))) === imports_digest,
  );
  if (then === undefined) return refused('imports differ');
  const reverted = then[0] === unreverted ? entries.filter(isReverted) : [];
  const erased = then[1] === unerased ? entries.filter((entry) => entry.erased === true) : [];
  const added = imports.length - signed;
  return {
    findings: [
      { check: 'imports', status: 'holds', code: 'imports hold', values: { count: signed } },
      ...reverted.map((entry) => changed('import reverted', entry)),
      ...erased.map((entry) => changed('import erased', entry)),
      ...(added > 0
        ? [{ check: 'imports', status: 'changed', code: 'imports added', values: { count: added } } as const]
        : []),
    ],
    entries,
  };
}

const changed = (code: EvidenceCode, { import_id, reverted_at }: EvidenceEntry): Finding => ({
  check: 'imports',
  status: 'changed',
  code,
  import_id,
  values: { import_id, at: reverted_at ?? '' },
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
  const wrong = [...sums, ['imports', entries.length] as const].find(([name, sum]) => counts[name] !== sum);
  if (wrong === undefined) return { check: 'counts', status: 'holds', code: 'counts hold', values: {} };
  const [member, sum] = wrong;
  return {
    check: 'counts',
    status: 'differs',
    code: 'counts differ',
    values: { member, sum, signed: counts[member] ?? '–' },
  };
}
