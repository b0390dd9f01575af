/** What the intake logged since a point: the facts that a restored table may lack. Ids and versions, no value of a fact. */
import * as v from 'valibot';
import { USER_CHANGES } from '../../../functions/shared/codes.ts';

/** A line of a fact that the intake applied, or that it had stored before (`functions/platform/apply-facts.ts`). */
const LINE = v.looseObject({
  message: v.picklist(['A fact was applied.', 'A fact was stored before.']),
  kind: v.picklist(['company', 'user', 'course', 'client', 'person', 'progress']),
  company_id: v.string(),
  user_id: v.optional(v.number()),
  platform_course_id: v.optional(v.number()),
  client_id: v.optional(v.string()),
  receipt_id: v.optional(v.string()),
  fact_version: v.optional(v.number()),
  forced: v.optional(v.boolean(), false),
  deleted: v.optional(v.boolean(), false),
  erased: v.optional(v.boolean(), false),
});

type Line = v.InferOutput<typeof LINE>;
const IDS = ['company_id', 'user_id', 'platform_course_id', 'client_id', 'receipt_id'] as const;
type Entity = Pick<Line, 'kind' | (typeof IDS)[number] | 'deleted' | 'erased'>;

export interface LedgerEntry extends Entity {
  readonly version: number;
  /** Versions that were forced: a higher one may be stored at the point. */
  readonly forced: readonly number[];
  /** Whether license, role, password or address of a user changed since the point, as far as it is known. */
  readonly changesAccess: boolean;
}

/** Reads lines of the log, oldest first. An entity has one entry; the progress that an erasure removed has none. */
export function ledger() {
  const entries = new Map<string, LedgerEntry>();
  const erasures = new Map<string, LedgerEntry>();
  return {
    entries,
    /** The last erasure of each person, who may have been sent again since. */
    erasures,
    add(text: string): void {
      const line = v.parse(LINE, JSON.parse(text));
      const { kind, company_id, user_id, fact_version: version } = line;
      // The end of a user's sessions. No session survives the restore.
      if (version === undefined) return;
      const name = JSON.stringify([kind, ...IDS.map((id) => line[id])]);
      const entry = entryAfter(entries.get(name), line, version);
      entries.set(name, entry);
      // Only the platform knows the names of someone without an account: it has to send the fact again.
      if (!line.erased || kind === 'person' || entry.version !== version) return;
      erasures.set(name, entry);
      for (const [other, each] of entries)
        if (each.kind === 'progress' && each.company_id === company_id && each.user_id === user_id)
          entries.delete(other);
    },
  };
}

export type Ledger = ReturnType<typeof ledger>;

function entryAfter(known: LedgerEntry | undefined, line: Line, version: number): LedgerEntry {
  const { kind, deleted, erased } = line;
  // The line of a fact that was stored before does not say what it changed.
  const changesAccess = known?.changesAccess === true || USER_CHANGES.some((each) => line[`${each}_changed`] !== false);
  const forced = known?.forced ?? [];
  const lowers = line.forced && line.message === 'A fact was applied.';
  const isRepeat = known && (lowers ? forced.includes(version) : known.version >= version);
  if (isRepeat) return { ...known, changesAccess };
  const { company_id, user_id, platform_course_id, client_id, receipt_id } = line;
  const entity = { kind, company_id, user_id, platform_course_id, client_id, receipt_id };
  return { ...entity, version, deleted, erased, changesAccess, forced: line.forced ? [...forced, version] : forced };
}
