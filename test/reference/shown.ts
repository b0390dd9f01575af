/** The progress of a learner in a course as text: as stored by the service, and as the reference makes it. */
import { effectiveProgress } from '../../functions/records/merge.ts';
import { auditEntry } from '../../functions/records/transcript.ts';
import { byRecord, versionsOf } from '../../functions/records/versions.ts';
import type { Course, CourseHistory, Progress } from '../../functions/shared/model.ts';
import { remember } from './laws.ts';
import { textOfProgress, type EffectiveProgress } from './effective.ts';
import { effectiveIn, referenceBatch } from './record.ts';
import type { PairState, ReferenceCourse, ReferenceWorld } from './world.ts';

export function storedText(
  { native, contributions }: Pick<CourseHistory, 'native' | 'contributions'>,
  course?: Course,
) {
  const versions = [...byRecord(contributions)].map(([id, own]) => {
    const entries = versionsOf(own).map(auditEntry);
    return [id, ...entries.map(({ import_id, replaced_by = '' }) => `${import_id} ${replaced_by}`)].join(', ');
  });
  return textOf(versions, effectiveProgress(native, contributions, course));
}

export function expectedText(state: PairState, course?: ReferenceCourse): string {
  const groups = Map.groupBy(state.records, ({ external_record_id }) => external_record_id);
  const versions = [...groups].map(([id, own]) => {
    const replacedBy = (at: number) => own.slice(at + 1).find(({ replaces }) => replaces)?.import_id ?? '';
    return [id, ...own.map(({ import_id }, at) => `${import_id} ${replacedBy(at)}`)].join(', ');
  });
  return textOf(versions, effectiveIn(state, course));
}

function textOf(versions: readonly string[], progress: Progress | EffectiveProgress | null): string {
  if (progress === null) return '';
  return JSON.stringify([versions.toSorted(), textOfProgress(progress)]);
}

interface AcceptedImport {
  readonly import_id: string;
  readonly created_at: string;
  readonly replace?: boolean;
  readonly records: readonly unknown[];
}

/** The pairs after these imports, in the order of acceptance. */
export function afterImports(
  before: ReferenceWorld,
  imports: readonly AcceptedImport[],
): ReadonlyMap<string, PairState> {
  const world = { ...before, pairs: new Map(before.pairs), identities: new Map(before.identities) };
  const order = ({ created_at, import_id }: AcceptedImport) => `${created_at} ${import_id}`;
  for (const each of imports.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const { import_id, created_at, replace = false, records } = each;
    remember(referenceBatch(records, world, created_at, replace), world, { import_id, replaces: replace });
  }
  return world.pairs;
}
