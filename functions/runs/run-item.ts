/** A run as it is stored (§4.11): made by a `PUT`, or by the first import that names it. */
import { shownCreator, storedCreator, type Creator } from '../auth/creator.ts';
import { nullable, number, oneOf, storedMembers, text } from '../dynamodb/attributes.ts';
import type { Item } from '../dynamodb/client.ts';
import { INDEX } from '../dynamodb/table.ts';
import { IMPORTED } from '../imports/import-lists.ts';
import { RUN_LANGUAGES } from '../shared/codes.ts';
import type { Instant, Run, RunIds } from '../shared/model.ts';

/** What its administrators decided about a run; its document is stored beside it. */
export type Draft = Pick<Run, 'title' | 'shape' | 'notify' | 'language'>;

/** The members of a run that are stored with it. */
export interface RunItem extends RunIds, Draft, Creator {
  readonly created_at: Instant;
  /** How often something was decided; absent in a run of an earlier release, whose imports are real ones. */
  readonly version: number | undefined;
  readonly updated_at: Instant | null;
  readonly updated_by: number | null;
  /** It had a real import, or one is being made. */
  readonly imported: boolean;
  /** Since when no other import was about to be accepted; absent in a run of an earlier release. */
  readonly begun_at?: Instant | undefined;
  readonly plan_id: string | undefined;
}

const STORED = {
  version: number,
  begun_at: text,
  plan_id: text,
  created_by: storedCreator,
  title: nullable(text),
  shape: nullable(text),
  language: nullable(oneOf(RUN_LANGUAGES)),
  updated_at: text,
  updated_by: storedCreator,
};

/** An earlier release did not note who sent the first import. */
const NOBODY: Creator = { created_by: null, created_by_client: null };

/** Reads a stored run. */
export function unpackRun({ company_id, run_id }: RunIds, item: Item): RunItem {
  const [created_at = ''] = text(item, INDEX.importsByCompany.sortKey).split('#', 1);
  const stored = storedMembers(item, STORED);
  return {
    company_id,
    run_id,
    created_at,
    ...(stored.created_by === undefined ? NOBODY : shownCreator(stored.created_by)),
    title: stored.title ?? null,
    shape: stored.shape ?? null,
    notify: notifiedIn(item),
    language: stored.language ?? null,
    version: stored.version,
    updated_at: stored.updated_at ?? null,
    updated_by: typeof stored.updated_by === 'number' ? stored.updated_by : null,
    imported: item[IMPORTED] === true || stored.version === undefined,
    begun_at: stored.begun_at,
    plan_id: stored.plan_id,
  };
}

function notifiedIn({ notify }: Item): readonly number[] | null {
  return Array.isArray(notify) ? notify.map(Number) : null;
}

/** Its `ETag`: each decision has another. */
export const tagOf = ({ version = 0 }: Pick<RunItem, 'version'>): string => `"${version}"`;
