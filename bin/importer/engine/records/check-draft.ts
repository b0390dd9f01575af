/** Reads a whole file with a drafted mapping, and corrects the draft by what only its records show. */
import { UsageError } from '../errors.ts';
import type { GuessedMapping } from '../mapping/guess-mapping.ts';
import type { Mapping } from '../mapping/schema.ts';
import { surveyOf } from '../run/survey.ts';
import { RecordSet } from './record-set.ts';
import type { RecordSource } from './record-source.ts';
import { type DraftFacts, joinedByIds } from './settle-draft.ts';

export interface CheckedDraft {
  /** The draft, corrected by its records; `undefined` if it needs no correction or cannot be read with. */
  readonly mapping: Mapping | undefined;
  /** Times without a zone. */
  readonly localTimes: number;
  readonly doubts: readonly string[];
}

/**
 * Finds repeated ids and times without a zone. A file that cannot be read with the draft is a doubt.
 *
 * @param open with the draft
 * @param known if the file was read with the draft already
 */
export async function checkDraft(open: () => Promise<RecordSource>, known?: DraftFacts): Promise<CheckedDraft> {
  try {
    const opened = await open();
    const facts = known === undefined || known.records === 0 ? await factsOf(opened) : known;
    return { ...correctedDraft(facts, opened.mapping), localTimes: facts.localTimes };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { mapping: undefined, localTimes: 0, doubts: [error.message] };
  }
}

/** The draft as it is used: with its correction, and with the doubts of both. */
export const corrected = ({ mapping, doubts }: GuessedMapping, checked: CheckedDraft): GuessedMapping => ({
  mapping: checked.mapping ?? mapping,
  doubts: [...doubts, ...checked.doubts],
});

async function factsOf(source: RecordSource): Promise<DraftFacts> {
  const { records, repeats, firstRepeat, notes } = await surveyOf(new RecordSet([source], undefined));
  return { records, repeats, firstRepeat: firstRepeat?.entry.row.line, localTimes: notes.localTimes };
}

function correctedDraft({ repeats, firstRepeat, localTimes }: DraftFacts, mapping: Mapping | undefined) {
  // Ids with a date are of single completions, which are not joined.
  const isPair = !Array.isArray(mapping?.record['external_record_id']);
  const joined = repeats > 0 && mapping !== undefined && isPair ? joinedByIds(mapping) : undefined;
  const doubts: string[] = [];
  if (repeats > 0) doubts.push(repeatDoubt(repeats, firstRepeat, joined !== undefined));
  if (localTimes > 0 && mapping?.time_zone === undefined)
    doubts.push(
      'Times without a zone are read as UTC. If they are local times, set "time_zone", like "Europe/Madrid".',
    );
  return { mapping: joined, doubts };
}

function repeatDoubt(repeats: number, line: number | undefined, isJoined: boolean): string {
  const found = `external_record_id: ${repeats} rows repeat the id of an earlier row, first on line ${line}.`;
  return isJoined
    ? `${found} "group_by" joins the rows of a learner and course: the best result, all classes, the earliest and latest dates.`
    : `${found} Make it of columns that identify a row.`;
}
