/** A long history of one learner and course from earlier imports: items that are full, or nearly full. */
import { itemBytes } from '../../functions/dynamodb/items.ts';
import { learnerCourseKey } from '../../functions/dynamodb/table.ts';
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import { contributionName, packContribution } from '../../functions/imports/contribution-item.ts';
import { contribution } from '../dynamodb/samples.ts';
import type { EveryStore } from '../kit/services.ts';
import type { Contribution } from '../../functions/shared/model.ts';
import { COMPANY } from './world.ts';

const PAIR = { user_id: 1, platform_course_id: 101 };
/** Size from which an item takes no more contributions. */
const BEST_BYTES = 4 * 1024;
/** Each part is below a write unit, so that none is compressed. */
const PARTS = 6;

/** `items`: their number. `space`: bytes left in the last one. `id`: the record id, by default `r-1`. */
export interface LongHistory {
  readonly items: number;
  readonly space: number;
  readonly id?: string;
}

export async function writeHistory({ items, space, id = 'r-1' }: LongHistory, stores: EveryStore): Promise<void> {
  await stores.progress.claim(COMPANY, [{ ...PAIR, external_record_id: id }]);
  for (let at = 0; at <= items; at += 1) {
    const contributions = ofBytes(id, at, BEST_BYTES - (at === items ? space : 0));
    const writes = contributions.map((each) => ({ ...PAIR, claim: false, contribution: each }));
    await stores.progress.contribute(
      COMPANY,
      writes.map((write) => ({ ...write, items: at, filled: BEST_BYTES })),
    );
  }
}

function ofBytes(id: string, at: number, bytes: number): Contribution[] {
  const beside = itemBytes({ ...learnerCourseKey(COMPANY, PAIR, at), v: 1 });
  return Array.from({ length: PARTS }, (_, index) => {
    const shortest = contributionOf(id, [at, index], 'x');
    const used = itemBytes({ [contributionName(shortest)]: packContribution(shortest) }) - 'x'.length;
    return contributionOf(id, [at, index], 'x'.repeat(Math.floor((bytes - beside) / PARTS) - used));
  });
}

const contributionOf = (id: string, [at, index]: readonly [number, number], external_ref: string): Contribution =>
  contribution({
    ...NO_PROGRESS,
    external_record_id: id,
    import_id: `before${at}`,
    index,
    imported_at: new Date(Date.UTC(2025, 0, 1 + at)).toISOString(),
    external_ref,
    score_pct: null,
    assessment_status: null,
    content_hash: `earlier ${at} ${index}`,
    completion_pct: at,
  });
