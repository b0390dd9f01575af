/** What a run prints does not depend on which upload ends first. Costs under a second. */
import { expect, it } from 'vitest';
import type { Import, RecordResult } from '../../../../bin/importer/wire/types.ts';
import { previewLines } from '../../../../bin/importer/engine/run/preview-lines.ts';
import { PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';
import { openRecords } from '../../../../bin/importer/engine/records/open-records.ts';
import { RecordSet } from '../../../../bin/importer/engine/records/record-set.ts';
import { previewOf, runPass } from '../../../../bin/importer/engine/run/import-run.ts';
import { Journal } from '../../../../bin/importer/engine/run/journal.ts';
import type { ImportService } from '../../../../bin/importer/engine/run/send.ts';
import { summaryLines } from '../../../../bin/importer/engine/run/summary.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { NO_PROGRESS } from '../../../../functions/records/merge.ts';
import { resultProgress } from '../../../../functions/records/result.ts';
import { countsOf, importOf } from '../../command/support/imports.ts';
import { memoryStore } from '../../command/support/runs.ts';
import { cases, FIRST_SEED } from '../../../kit/at-length.ts';
import { Dice } from '../../../kit/dice.ts';

const FILES = 8;
const CODES = ['user_not_found', 'course_not_in_catalog', 'missing_progress'] as const;

interface Sent {
  readonly external_record_id: string;
  readonly result: Pick<RecordResult, 'outcome' | 'errors' | 'warnings' | 'progress'>;
}

/** A record that names its result. Few courses, codes and dates, so that counts are often equal. */
function recordOf(id: string, dice: Dice): Sent {
  if (dice.oneIn(3)) {
    const error_code = dice.pick(CODES);
    const errors = [{ error_code, field: 'user.email', message: `${error_code} of ${id}` }];
    return { external_record_id: id, result: { outcome: null, errors, warnings: [], progress: null } };
  }
  const date = (): string | null => dice.pick([null, '2021-01-01T00:00:00.000Z', CREATED]);
  const progress = {
    ...resultProgress({ user_id: dice.below(3), platform_course_id: 101 + dice.below(4) }, NO_PROGRESS),
    completion_pct: dice.pick([0, 50, 100]),
    approved_course: dice.pick([0, 1] as const),
    started_at: date(),
    last_activity_at: date(),
    completed_at: date(),
    certified_at: date(),
  };
  const outcome = dice.pick(['applied', 'updated', 'unchanged'] as const);
  return { external_record_id: id, result: { outcome, errors: [], warnings: [], progress } };
}

const CREATED = '2026-01-01T00:00:00.000Z';

/** Ends imports together, once so many are awaited, in an order that the dice choose. */
class ShuffledService implements ImportService {
  readonly #dice: Dice;
  readonly #imports = new Map<string, Import>();
  #awaited: (() => void)[] = [];
  together = 1;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  async startImport({ records }: { readonly records: readonly unknown[] }, import_id: string) {
    const results = (records as Sent[]).map(({ external_record_id, result }, index) => ({
      index,
      external_record_id,
      status: result.outcome === null ? ('error' as const) : ('success' as const),
      ...result,
    }));
    const failed = results.filter(({ outcome }) => outcome === null).length;
    const counts = { ...countsOf(results.length, failed), processed: 0 };
    const found = importOf(import_id, { created_at: CREATED, counts, records: results });
    this.#imports.set(import_id, found);
    return { import: { ...found, status: 'processing' as const }, replayed: false, retryAfterSeconds: undefined };
  }

  async getImport(import_id: string): Promise<Import> {
    return this.#imports.get(import_id) ?? Promise.reject(new Error(import_id));
  }

  async waitForImport(import_id: string): Promise<Import> {
    const ended = new Promise<void>((resolve) => this.#awaited.push(resolve));
    if (this.#awaited.length >= this.together) for (const end of this.#dice.shuffled(this.#awaited.splice(0))) end();
    await ended;
    return this.getImport(import_id);
  }
}

it('a dry run, the import and a resumed import print the same, in whichever order their uploads end', async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(300, 2); seed += 1) {
    const dice = new Dice(seed);
    const sources = await Promise.all(
      Array.from({ length: FILES }, (_, file) => {
        const records = Array.from({ length: 1 + dice.below(4) }, (__, row) => recordOf(`${file}-${row}`, dice));
        const content = records.map((record) => JSON.stringify(record)).join('\n');
        return openRecords(new File([content], `${file}.ndjson`), {
          mappingFor: () => {
            throw new Error('no mapping is needed');
          },
        });
      }),
    );
    const set = new RecordSet(sources, undefined);
    const service = new ShuffledService(dice);
    const runOf = async (lines: string[], parallel: number) => ({
      service,
      company_id: 'acme',
      set,
      survey: await surveyOf(set),
      preview: new PreviewBuilder(0),
      parallel,
      journal: await Journal.read(memoryStore(lines)),
    });
    const dry = async (parallel: number): Promise<string> => {
      const run = await runOf([], parallel);
      const { summary } = await runPass(run, { dry_run: true, attempt: 'dry', run_id: null });
      const preview = previewOf(run);
      return [
        JSON.stringify([summary, preview]),
        ...summaryLines(summary, false),
        ...previewLines(preview, undefined),
      ].join('\n');
    };
    const real = async (lines: string[]): Promise<string> => {
      const { summary } = await runPass(await runOf(lines, FILES), { dry_run: false, attempt: '1', run_id: 'r' });
      return [JSON.stringify(summary), ...summaryLines(summary, false)].join('\n');
    };
    const inOrder = await dry(1);
    service.together = FILES;
    const shuffled = await dry(FILES);
    const journal: string[] = [];
    const whole = await real(journal);
    const accepted = journal.slice(0, dice.below(FILES));
    service.together = FILES - accepted.length;
    const resumed = await real(accepted);
    expect(shuffled, `seed ${seed}`).toBe(inOrder);
    expect(resumed, `seed ${seed}`).toBe(whole);
    expect(inOrder).toContain(whole.split('\n').slice(1).join('\n'));
  }
});
