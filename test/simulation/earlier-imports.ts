/** A long history of one learner and course from earlier imports: items that are full, or nearly. */
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import { contributionName, packContribution } from '../../functions/imports/contribution-item.ts';
import type { EveryStore } from '../kit/services.ts';
import type { Contribution } from '../../functions/shared/model.ts';
import { COMPANY } from './world.ts';

const PAIR = { user_id: 1, platform_course_id: 101 };
/** Bytes of one write, and bytes that updates add to one item. */
const MOST_BYTES = 100 * 1024;

/** `items`: their number. `space`: bytes that are left in the last one. `id`: that of their records; `r-1` without it. */
export interface LongHistory {
  readonly items: number;
  readonly space: number;
  readonly id?: string;
}

export async function writeHistory({ items, space, id = 'r-1' }: LongHistory, stores: EveryStore): Promise<void> {
  await stores.progress.claim(COMPANY, [{ ...PAIR, external_record_id: id }]);
  for (let at = 0; at <= items; at += 1) {
    const contribution = ofBytes(id, at, at === items ? MOST_BYTES - space : MOST_BYTES);
    await stores.progress.contribute(COMPANY, [{ ...PAIR, claim: false, contribution, items: at }]);
  }
}

function ofBytes(id: string, at: number, bytes: number): Contribution {
  const shortest = contributionOf(id, at, 'x');
  const used = Buffer.byteLength(contributionName(shortest) + packContribution(shortest)) - 'x'.length;
  return contributionOf(id, at, 'x'.repeat(bytes - used));
}

function contributionOf(id: string, at: number, external_ref: string): Contribution {
  return {
    ...NO_PROGRESS,
    source: 'external_migration',
    external_record_id: id,
    import_id: `before${at}`,
    index: 0,
    imported_at: new Date(Date.UTC(2025, 0, 1 + at)).toISOString(),
    external_ref,
    score_pct: null,
    assessment_status: null,
    defaulted: [],
    defaulted_classes: [],
    content_hash: `earlier ${at}`,
    completion_pct: at,
  };
}
