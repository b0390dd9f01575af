/** The transcript of a learner in the terminal, over the whole service in memory. Costs a second. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createPlatform, type Platform } from '../support/platform.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../bin/importer/command/errors.ts';
import { showMatches } from '../../../../bin/importer/command/ids.ts';
import { showLearner } from '../../../../bin/importer/command/commands/people.ts';
import { freshFolder } from '../support/files.ts';
import { recordedOutput } from '../support/output.ts';

const EMAIL = 'ben.castillo@acme.test';
let platform: Platform;

const certificate = (id: string, date: string) => ({
  external_record_id: id,
  user: { email: EMAIL },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 100, completed_at: date },
  assessment: { status: 'passed', taken_at: date },
});

beforeEach(async () => {
  platform = await createPlatform();
  const records = [certificate('r-2', '2025-03-01'), certificate('r-1', '2024-03-01')];
  await platform.client.startImport({ dry_run: false, records });
});

describe('people', () => {
  it('people EMAIL shows a course with its latest certificate, and every record below it', async () => {
    const output = recordedOutput();
    expect(await showLearner(platform.client, EMAIL.toUpperCase(), output)).toBe(0);
    expect(output.results[0]).toMatch(/^ben\.castillo@acme\.test, user \d+, license active$/);
    expect(output.results.slice(3)).toEqual([
      expect.stringMatching(/^101 +Information Security Essentials +100 +2025-03-01 00:00/),
      expect.stringMatching(/^ +r-1 +100 +2024-03-01 00:00/),
      expect.stringMatching(/^ +r-2 +100 +2025-03-01 00:00/),
    ]);
  });

  it('people EMAIL --json prints the whole transcript', async () => {
    const output = recordedOutput(true);
    await showLearner(platform.client, EMAIL, output);
    expect(output.values).toMatchObject([
      { email: EMAIL, courses: [{ platform_course_id: 101, contributions: [{}, {}] }] },
    ]);
  });

  it('people EMAIL says what the archive has of someone unknown', async () => {
    const gone = { ...certificate('gone-1', '2024-03-01'), user: { email: 'gone@acme.test' } };
    await platform.client.startImport({ dry_run: false, archive: true, records: [gone] });
    const output = recordedOutput();
    expect(await showLearner(platform.client, 'gone@acme.test', output)).toBe(0);
    expect(output.results).toEqual([
      'There is no user gone@acme.test in this company.',
      'The archive has records of this person: 1.',
      'There is no progress in any course.',
    ]);
  });

  it.each(['nobody@acme.test', 'nobody', ''])('the address %j of no user is an error of usage', async (email) => {
    await expect(showLearner(platform.client, email, recordedOutput())).rejects.toThrow(UsageError);
  });

  it.each([
    ['people', 0o600],
    ['courses', 0o666 & ~process.umask()],
  ] as const)('the table of %s is readable by who may know it', (command, mode) => {
    const path = join(freshFolder(), 'table.csv');
    const headers = { id: 'id', name: 'name', targetId: 'target', targetName: 'target_name' };
    showMatches(path, { headers, lines: [], command, found: [] }, recordedOutput());
    expect(statSync(path).mode & 0o777).toBe(mode);
  });
});
