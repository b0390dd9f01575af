import type { Problem } from './codes.ts';
import type { JudgedEntry } from './mapping-entry.ts';

export const MAPPING_STATUSES = ['created', 'updated', 'unchanged', 'error'] as const;
export type MappingStatus = (typeof MAPPING_STATUSES)[number];

export interface MappingCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

export type MappingResult<Echo> = { readonly index: number } & Echo & {
    readonly status: MappingStatus;
    readonly errors: readonly Problem[];
  };

export interface Registration<Link, Echo> {
  /** One for each entry, in the order sent. */
  readonly results: readonly MappingResult<Echo>[];
  readonly counts: MappingCounts;
  /** The links to write: of each external id the last one, and none that stands already. */
  readonly changed: readonly Link[];
}

/**
 * Registers entries in the order sent (§2.6: re-sending an external id overwrites its link), so that each is judged against
 * what the entries before it left, and the last one wins. An entry with errors changes nothing.
 */
export function registerInOrder<Link, Echo>(
  entries: readonly JudgedEntry<Link, Echo>[],
  standing: ReadonlyMap<string, Link>,
  rules: { readonly externalIdOf: (link: Link) => string; readonly same: (one: Link, other: Link) => boolean },
): Registration<Link, Echo> {
  const changed = new Map<string, Link>();
  const register = (link: Link): MappingStatus => {
    const id = rules.externalIdOf(link);
    const current = changed.get(id) ?? standing.get(id);
    if (current !== undefined && rules.same(current, link)) return 'unchanged';
    changed.set(id, link);
    return current === undefined ? 'created' : 'updated';
  };
  const results = entries.map(({ echo, link, errors }, index) => {
    const status = link === undefined ? 'error' : register(link);
    return { index, ...echo, status, errors };
  });
  return { results, counts: countStatuses(results), changed: [...changed.values()] };
}

function countStatuses(results: readonly { readonly status: MappingStatus }[]): MappingCounts {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { status } of results) counts[status === 'error' ? 'failed' : status] += 1;
  return counts;
}
