import type { Connection } from '../connect.ts';
import type { Display } from '../progress/display.ts';
import { Meter } from '../progress/meter.ts';
import type { Waiting } from '../progress/waiting.ts';
import type { Journal } from './journal.ts';
import type { Reading } from './reading.ts';
import { type RunOutcome, runChunks } from './run-chunks.ts';
import type { Survey } from './survey.ts';

export interface RunnerParts {
  readonly connection: Connection;
  readonly reading: Reading;
  readonly survey: Survey;
  readonly journal: Journal;
  readonly display: Display;
  readonly waiting: Waiting;
  readonly parallel: number;
}

/** Runs all chunks of a file and shows how they come along. */
export class Runner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  dryRun(run: string): Promise<RunOutcome> {
    const checked = new Meter('dry run', this.#parts.survey.rows, Date.now);
    return this.#run(run, true, [checked], { uploaded: () => {}, processed: (rows) => checked.add(rows) });
  }

  import(run: string): Promise<RunOutcome> {
    const { rows } = this.#parts.survey;
    const [upload, processing] = [new Meter('upload', rows, Date.now), new Meter('processing', rows, Date.now)];
    const progress = {
      uploaded: (count: number) => upload.add(count),
      processed: (count: number) => processing.add(count),
    };
    return this.#run(run, false, [upload, processing], progress);
  }

  async #run(
    run: string,
    dry_run: boolean,
    meters: readonly Meter[],
    progress: Parameters<typeof runChunks>[0]['progress'],
  ) {
    const { connection, display, waiting, ...parts } = this.#parts;
    const { client, login } = connection;
    display.show(meters);
    try {
      return await runChunks({
        ...parts,
        client,
        company_id: login.company_id,
        dry_run,
        run,
        progress: {
          uploaded: (rows) => {
            waiting.over();
            progress.uploaded(rows);
          },
          processed: (rows) => {
            waiting.over();
            progress.processed(rows);
          },
        },
      });
    } finally {
      display.end();
    }
  }
}
