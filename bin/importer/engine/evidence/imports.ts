/** The list of imports of a run against the digest that was signed (§4.10). */
import type { EvidenceEntry } from '../../wire/types.ts';
import { isObject } from '../../wire/values.ts';
import { canonicalLine, Digest } from '../digest.ts';
import type { Finding } from './finding.ts';
import type { EvidencePayload } from './jws.ts';
import type { EvidenceCode } from './words.ts';

export interface Listed {
  readonly findings: readonly Finding[];
  /** `undefined` if the list is not the one that was signed. */
  readonly entries: readonly EvidenceEntry[] | undefined;
}

type Earlier = (entry: EvidenceEntry) => EvidenceEntry;
const asGiven: Earlier = (entry) => entry;
const unerased: Earlier = ({ erased: _, ...entry }) => entry;

/** The list as it was signed, and what came later: a list of today has later reverts, erasures and imports. */
export function listFindings(payload: EvidencePayload, imports: readonly unknown[]): Listed {
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

export function countsFinding({ counts }: EvidencePayload, entries: readonly EvidenceEntry[]): Finding {
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
