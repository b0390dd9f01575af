/** A long history of one record on one pair, as many imports before this run left it. */
import type { Stores } from '../../functions/services/services.ts';
import type { Contribution } from '../../functions/shared/model.ts';
import { COMPANY, NO_PROGRESS } from './world.ts';

const PAIR = { user_id: 1, platform_course_id: 101 };
const ID = 'r-1';

export async function writeHistory(length: number, stores: Stores): Promise<void> {
  if (length === 0) return;
  await stores.progress.claim(COMPANY, [{ ...PAIR, external_record_id: ID }]);
  const writes = Array.from({ length }, (_, at) => ({
    ...PAIR,
    claim: false,
    contribution: contribution(at),
    items: 1,
  }));
  await stores.progress.contribute(COMPANY, writes);
}

function contribution(at: number): Contribution {
  return {
    ...NO_PROGRESS,
    source: 'external_migration',
    external_record_id: ID,
    import_id: `before${at}`,
    index: 0,
    imported_at: new Date(Date.UTC(2025, 0, 1 + at)).toISOString(),
    external_ref: null,
    score_pct: null,
    assessment_status: null,
    defaulted: [],
    defaulted_classes: [],
    content_hash: `earlier ${at}`,
    completion_pct: at,
  };
}
