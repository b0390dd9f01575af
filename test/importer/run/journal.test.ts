/** What a run stores about itself. Costs milliseconds. */
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Journal, originOf } from '../../../bin/importer/run/journal.ts';
import { freshFolder } from '../../cli/support/files.ts';

const ORIGIN = { file: 'history.csv', mapping: null, options: {}, base_url: 'http://x', company_id: 'acme' };
let folder: string;

beforeEach(() => {
  folder = freshFolder();
});

describe('the journal', () => {
  it('ignores a line that is incomplete after a kill', () => {
    Journal.open(folder, ['same'], ORIGIN).accept('1', 0, 'import-a');
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), '{"kind":"accepted","run":"1","chu');
    expect([...Journal.open(folder, ['same'], ORIGIN).accepted('1')]).toEqual([[0, 'import-a']]);
  });

  it('resumes an interrupted dry run, and starts a new one after a finished one', () => {
    const journal = Journal.open(folder, ['same'], ORIGIN);
    const first = journal.beginDryRun('records');
    expect(Journal.open(folder, ['same'], ORIGIN).beginDryRun('records')).toBe(first);
    expect(Journal.open(folder, ['same'], ORIGIN).recentDryRun('records', 0)).toBeUndefined();
    journal.endDryRun(first, 0, 0);
    expect(Journal.open(folder, ['same'], ORIGIN).beginDryRun('records')).not.toBe(first);
  });

  it.each([
    ['of the same records', 'records', 0, 59, true],
    ['of other records', 'others', 0, 1, false],
    ['that rejected some', 'records', 3, 1, false],
    ['of an hour ago', 'records', 0, 60, false],
  ] as const)('knows whether a dry run %s need not be made again', (_, records, rejected, minutes, isRecent) => {
    const journal = Journal.open(folder, ['same'], ORIGIN);
    const run = journal.beginDryRun(records);
    journal.endDryRun(run, rejected, 0);
    const recent = Journal.open(folder, ['same'], ORIGIN).recentDryRun('records', minutes * 60_000);
    expect(recent).toEqual(isRecent ? { run, endedAtMs: 0 } : undefined);
  });

  it('takes another dry run for one of its own, also if the last was interrupted', () => {
    const first = Journal.open(folder, ['same'], ORIGIN).beginDryRun('records');
    expect(Journal.open(folder, ['same'], ORIGIN).beginDryRun('others')).not.toBe(first);
  });

  it('keeps the name of the run, so that whoever resumes it resumes the same run', () => {
    Journal.open(folder, ['same'], ORIGIN).begin('1', 'spring');
    expect(Journal.open(folder, ['same'], ORIGIN).name('1')).toBe('spring');
    expect(Journal.open(folder, ['same'], ORIGIN).name('2')).toBeUndefined();
  });

  it('knows where an import came from', () => {
    Journal.open(folder, ['same'], ORIGIN).accept('1', 0, 'import-a');
    expect(originOf(folder, 'import-a')).toMatchObject(ORIGIN);
    expect(originOf(folder, 'import-b')).toBeUndefined();
  });
});
