/** Several rows of a learner in one course: parts, completions, attempts. Costs under a second. */
import { describe, expect, it } from 'vitest';
import { drafted } from '../shape/drafted.ts';
import { createPlatform, importFiles } from '../../command/support/platform.ts';
import { previewChecks } from '../../../../bin/importer/engine/mapping/preview-lines.ts';
import { initMapping } from '../../../../bin/importer/command/commands/init-mapping.ts';
import { fileOf } from '../../command/support/files.ts';
import { recordedOutput } from '../../command/support/output.ts';

describe('settledDraft', () => {
  it('each completion of a course is a record of its own, and the draft says how many learners have several', async () => {
    const { records, mapping, doubts } = await drafted(
      'Email,Course,Status,Completion Date\na@x.test,SEC,Completed,2023-03-01\na@x.test,SEC,Completed,2025-03-10\nb@x.test,SEC,Completed,2025-03-20\n',
    );
    expect(records).toEqual([
      'a@x.test SEC 100 % 2023-03-01',
      'a@x.test SEC 100 % 2025-03-10',
      'b@x.test SEC 100 % 2025-03-20',
    ]);
    expect(mapping.record['external_record_id']).toEqual([
      { template: '{Email}/{Course}/{Completion Date}' },
      { template: '{Email}/{Course}' },
    ]);
    expect(doubts).toContainEqual(
      expect.stringMatching(/^1 learner has 2 completions of one course: each is a record of its own/),
    );
  });

  it('rows of modules are joined to the classes of their course', async () => {
    const { records, mapping } = await drafted(
      'Email,Course,Module,Module Status,Completed on\na@x.test,SEC,Passwords,Completed,2024-01-05\na@x.test,SEC,Phishing,In progress,\nb@x.test,SEC,Phishing,Completed,2024-01-29\n',
    );
    expect(mapping.group_by).toEqual(['Email', 'Course']);
    expect(records).toEqual(['a@x.test SEC Passwords', 'b@x.test SEC Phishing']);
  });

  it('a column that differs within a learner and course is asked about', async () => {
    const { guesses } = await drafted(
      'Email,Course,Part,Status\na@x.test,SEC,Passwords,Completed\na@x.test,SEC,Phishing,In progress\n',
    );
    expect(guesses).toEqual([
      '"Part" differs between the rows of 1 learner in one course; each row is read as the whole course.',
    ]);
  });

  it('attempts without dates are joined to the best', async () => {
    const { records } = await drafted('Email,Course,Status\na@x.test,SEC,Failed\na@x.test,SEC,Completed\n');
    expect(records).toEqual(['a@x.test SEC 100 %']);
  });
});

it('one file of three annual completions and three files of one each give the same transcript, and the preview names them', async () => {
  const HEADER = 'Email,Course,Status,Completion Date';
  const rows = ['2023-03-21', '2024-03-25', '2025-03-20'].map((day) => `ben.castillo@acme.test,SEC-1,Completed,${day}`);
  const after = async (files: readonly string[]) => {
    const platform = await createPlatform();
    await platform.client.registerCourseMappings([{ external_course_id: 'SEC-1', platform_course_id: 101 }]);
    for (const file of files) await initMapping(file, {}, recordedOutput(true));
    const { real, preview } = await importFiles(platform, files);
    expect(real.summary.applied).toBe(3);
    const { courses } = await platform.client.getLearner({ email: 'ben.castillo@acme.test' });
    return { courses: courses.map(comparable), preview: previewChecks(preview, undefined).join('\n') };
  };
  const one = await after([fileOf([HEADER, ...rows].join('\n'))]);
  expect(one.courses).toMatchObject([
    {
      platform_course_id: 101,
      effective: { completed_at: '2025-03-20T00:00:00.000Z' },
      contributions: [{}, {}, {}],
    },
  ]);
  const three = await after(rows.map((row) => fileOf(`${HEADER}\n${row}\n`)));
  expect(three.courses).toEqual(one.courses);
  for (const { preview } of [one, three])
    expect(preview).toContain(
      '1 learner has 3 completions of one course: each is a record of its own in the transcript, and the platform shows the latest completion',
    );
});

/** Without the ids of its imports, which no two runs share. */
const comparable = (course: unknown): unknown =>
  JSON.parse(JSON.stringify(course), (name, value: unknown) =>
    /^(import_id|run_id|record_index|index|payload_hash)$/.test(name) ? undefined : value,
  );
