/** The exports of the documentation, imported with their mappings: the progress of each learner. Costs seconds. */
import { createPlatform, exampleFile, importFiles, type Platform } from '../../command/support/platform.ts';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { initMapping } from '../../../../bin/importer/command/commands/init-mapping.ts';
import { freshFolder } from '../../command/support/files.ts';

let platform: Platform;

beforeEach(async () => {
  platform = await createPlatform();
});

const SILENT = { json: true, interactive: false, result: () => {}, jsonResult: () => {}, note: () => {} };

describe('documented exports', () => {
  it('the export of Moodle keeps classes, dates and the passed exam', async () => {
    const { endState, dry, survey } = await importFiles(platform, [exampleFile('moodle.csv')]);
    expect(endState).toEqual({
      'ben.castillo 101': {
        pct: 50,
        started: '2024-01-15T09:30Z',
        last: '2024-01-16T08:05Z',
        classes: { 1011: '2024-01-15T09:30Z', 1012: '2024-01-16T08:05Z' },
      },
      'chiara.romano 101': {
        pct: 100,
        started: '2024-01-15T10:00Z',
        last: '2024-01-18T15:45Z',
        completed: '2024-01-18T15:45Z',
        certified: '2024-01-18T15:45Z',
        classes: {
          1011: '2024-01-15T10:00Z',
          1012: '2024-01-15T10:40Z',
          1013: '2024-01-17T13:15Z',
          1014: '2024-01-18T15:00Z',
        },
      },
      'dmitri.volkov 101': {
        pct: 25,
        started: '2024-01-19T07:00Z',
        last: '2024-01-22T08:10Z',
        classes: { 1011: '2024-01-19T07:00Z' },
      },
      'elif.yilmaz 101': { pct: 0, started: 'today', last: 'today' },
    });
    expect({ rejected: dry.summary.rejected, left: survey.leftOut }).toEqual({ rejected: 0, left: {} });
  });

  it('the export of Open edX keeps certificates, dated at the end of the course run', async () => {
    const { endState, preview } = await importFiles(platform, [exampleFile('open-edx.csv')]);
    const run = { started: '2024-02-05', last: '2024-06-30' };
    expect(endState).toEqual({
      'elif.yilmaz 102': { pct: 100, ...run, completed: '2024-06-30', certified: '2024-06-30' },
      'farid.haddad 102': { pct: 41, ...run },
    });
    expect(preview.dated_today).toEqual({});
  });

  it('the export of Canvas gives no learner a course whose term is over, and skips rows without a learner', async () => {
    const { client } = platform;
    await client.registerUserMappings([
      { external_user_id: '9108', email: 'hana.suzuki@acme.test' },
      { external_user_id: '9110', email: 'joana.ferreira@acme.test' },
      { external_user_id: '9111', email: 'kofi.asante@acme.test' },
    ]);
    await client.registerCourseMappings([
      { external_course_id: 'FEEDBACK-24', platform_course_id: 104 },
      { external_course_id: 'WELCOME-24', platform_course_id: 103 },
    ]);
    const { endState, survey, dry } = await importFiles(platform, [exampleFile('canvas.csv')]);
    expect(endState).toEqual({
      'hana.suzuki 104': { pct: 96.5, started: '2024-01-08', last: '2024-06-21' },
      'joana.ferreira 104': { pct: 48, started: '2024-01-08', last: '2024-06-21' },
    });
    expect({ skipped: survey.skipped, left: survey.leftOut, rejected: dry.summary.rejected }).toEqual({
      skipped: 2,
      left: { 'not graded': 1 },
      rejected: 0,
    });
  });

  it('the export of a SCORM or xAPI store keeps scores, dates and certificates', async () => {
    const { endState } = await importFiles(platform, [exampleFile('scorm-xapi.csv')]);
    expect(endState).toEqual({
      'kofi.asante 105': {
        pct: 100,
        started: '2023-04-03T08:00Z',
        last: '2023-04-21T15:12:09.500Z',
        completed: '2023-04-21T15:12:09Z',
        certified: '2023-04-21T15:12:09Z',
      },
      'lena.bauer 103': { pct: 25, started: '2022-11-30T05:40Z', last: '2022-11-30T06:30Z' },
      'lena.bauer 105': { pct: 60, started: '2023-04-03T08:05Z', last: '2023-04-04T09:00Z' },
    });
  });

  it('the export of the tutorial keeps its certificates with the mapping that init-mapping drafts', async () => {
    await platform.client.registerCourseMappings([
      { external_course_id: 'SEC-1', platform_course_id: 101 },
      { external_course_id: 'DATA-2', platform_course_id: 102 },
      { external_course_id: 'WELCOME', platform_course_id: 103 },
    ]);
    const file = join(freshFolder(), 'history.csv');
    copyFileSync(exampleFile('academy.csv'), file);
    await initMapping([file], { acceptSuggestions: true }, SILENT);
    const { endState, dry, real, preview } = await importFiles(platform, [file]);
    expect(endState).toEqual({
      'ben.castillo 101': {
        pct: 100,
        started: '2024-01-15',
        last: '2024-01-31',
        completed: '2024-01-31',
        certified: '2024-01-31',
      },
      'chiara.romano 101': { pct: 62.5, started: '2024-01-17', last: '2024-02-20' },
      'dmitri.volkov 103': { pct: 100, started: '2024-01-08', last: '2024-01-08', completed: '2024-01-08' },
      'grace.mensah 102': { pct: 75, started: '2024-02-20', last: '2024-02-28' },
    });
    expect(dry.summary).toEqual(real.summary);
    expect(dry.summary.rejected_by_reason).toEqual({ user_not_found: 1, unconfirmed_kind: 1 });
    expect(preview).toMatchObject({ learners: 4, completed: 2, in_progress: 2, certified: 1, dated_today: {} });
  });
});
