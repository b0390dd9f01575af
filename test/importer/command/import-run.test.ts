/** The question of the archive at the terminal, over the whole service in memory. Costs a second. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listRuns } from '../../../bin/importer/client/runs.ts';
import { fileOf } from './support/files.ts';
import { archivedIds, type ImportOptions, importFile } from './support/import-file.ts';
import type { RecordedOutput } from './support/output.ts';
import { createPlatform, type Platform } from './support/platform.ts';
import { HEADER } from './support/runs.ts';

/** A path, because the runner does not find a package where the name of a folder has a blank. */
const PROMPTS = vi.hoisted(() => `${import.meta.dirname}/../../../node_modules/@clack/prompts/dist/index.mjs`);
/** What a person is asked at the terminal, and whether each is agreed to. */
const asked = vi.hoisted((): { questions: string[]; answers: boolean[] } => ({ questions: [], answers: [] }));
vi.mock(PROMPTS, async (original) => ({
  ...(await original<object>()),
  confirm: async ({ message }: { message: string }) => {
    asked.questions.push(message);
    return asked.answers.shift();
  },
}));

const LATE = 'late@acme.test';
let platform: Platform;
let file: string;

const imported = (options: ImportOptions, output: Partial<RecordedOutput>) =>
  importFile(platform, file, options, output);

afterEach(() => void vi.restoreAllMocks());

describe('the archive, asked for at the terminal', () => {
  const TERMINAL = { interactive: true };
  const KEEP = 'In 2 rows, the person or the course is not on the platform. Keep them in the archive?';

  beforeEach(async () => {
    platform = await createPlatform();
    Object.assign(asked, { questions: [], answers: [] });
    file = fileOf(
      [
        HEADER,
        'r-1,hana.suzuki@acme.test,102,40',
        `r-2,${LATE},102,40`,
        'r-3,hana.suzuki@acme.test,9999,40',
        // Another fault, too: no archive keeps it.
        `r-4,${LATE},102,140`,
      ].join('\n'),
    );
  });

  /** The numbers that are said, by their words. */
  const saidIn = (text: string): Record<string, number> =>
    Object.fromEntries(
      [...text.matchAll(/^ +([\d,]+) {2}(.+)$/gm)].map(([, count = '', words = '']) => [words, +count]),
    );

  it('is asked once, after the dry run, and keeps what the sentence has counted', async () => {
    asked.answers = [true, true];
    const { run_id, ...shown } = await imported({}, TERMINAL);
    expect(asked.questions).toEqual([
      KEEP,
      expect.stringMatching(/^Import these 1 records, and keep 2 in the archive\?/),
    ]);
    expect(await archivedIds(platform, run_id)).toEqual(['r-2', 'r-3']);
    const { counts, plan } = await platform.client.getRun(run_id);
    expect(counts).toMatchObject({ total: 4, succeeded: 1, failed: 3, archived: 2 });
    const planned = { 'to be applied': 1, rejected: 1, 'to be kept in the archive': 2 };
    expect([saidIn(shown.notes), plan?.counts]).toMatchObject([planned, { failed: 3, archived: 2 }]);
    expect(shown).toMatchObject({ code: 1, applied: 1, rejected: 3, archived: 2 });
    expect(await listRuns(platform.client)).toHaveLength(1);
  });

  it('a no leaves them rejected', async () => {
    asked.answers = [false, true];
    const { run_id, ...shown } = await imported({}, TERMINAL);
    expect([asked.questions[0], shown]).toMatchObject([KEEP, { code: 1, applied: 1, rejected: 3 }]);
    expect(shown).not.toHaveProperty('archived');
    expect(await archivedIds(platform, run_id)).toEqual([]);
  });

  it.each([
    ['without a terminal', { yes: true } as const, {}],
    ['with a yes', { yes: true } as const, TERMINAL],
    ['of a dry run', { dryRun: true } as const, TERMINAL],
    ['where it was asked for', { archive: true, yes: true } as const, TERMINAL],
  ])('is no question %s', async (_name, options, output) => {
    await imported(options, output);
    expect(asked.questions).toEqual([]);
  });

  it('is no question where nobody and no course is missing', async () => {
    file = fileOf([HEADER, 'r-1,hana.suzuki@acme.test,102,140'].join('\n'));
    expect(await imported({}, TERMINAL)).toMatchObject({ code: 1, dry_run: true, rejected: 1 });
    expect(asked.questions).toEqual([]);
  });

  it('a file of nothing else is kept, too', async () => {
    file = fileOf([HEADER, `r-2,${LATE},102,40`].join('\n'));
    asked.answers = [true, true];
    const { run_id } = await imported({}, TERMINAL);
    expect(asked.questions[0]).toBe(
      'In 1 row, the person or the course is not on the platform. Keep it in the archive?',
    );
    expect(await archivedIds(platform, run_id)).toEqual(['r-2']);
  });

  it('the answer holds for a command that was killed: it is not asked again', async () => {
    asked.answers = [true, true];
    vi.spyOn(platform.client, 'waitForRun').mockRejectedValueOnce(new Error('killed'));
    await expect(imported({}, TERMINAL)).rejects.toThrow('killed');
    asked.questions = [];
    const { run_id, ...shown } = await imported({}, TERMINAL);
    expect([asked.questions, shown]).toMatchObject([[], { applied: 1, rejected: 3, archived: 2, dry_runs_sent: 0 }]);
    expect(await archivedIds(platform, run_id)).toEqual(['r-2', 'r-3']);
  });
});
