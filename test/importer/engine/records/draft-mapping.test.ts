/** Drafts of mappings, guessed from an export. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { draftMapping } from '../../../../bin/importer/engine/records/draft-mapping.ts';
import { openSource } from '../../../../bin/importer/engine/source/open-source.ts';

describe('draftMapping', () => {
  const draftOf = async (csv: string) => draftMapping(await openSource(new File([csv], 'history.csv')));

  it('a draft has the columns, date formats, scales and words of the export', async () => {
    const { mapping } = await draftOf(
      'Email address;Course ID;Progress;Started;Status;Score\nana@x.test;C1;0,5;31/01/2024 10:30;Pass;0,9\nbo@x.test;C1;1;01/02/2024 09:00;Fail;0,4\n',
    );
    expect(mapping).toEqual({
      decimal: ',',
      record: {
        external_record_id: { template: '{Email address}/{Course ID}' },
        'user.email': 'Email address',
        'content.external_course_id': 'Course ID',
        'progress.completion_pct': { column: 'Progress', scale: 100 },
        'progress.started_at': [{ column: 'Started', dates: 'D/M/YYYY H:mm' }, { earliest: true }],
        'progress.last_activity_at': { latest: true },
        'progress.completed_at': { latest: true },
        'assessment.status': { column: 'Status', values: { Pass: 'passed', Fail: 'failed' } },
        'assessment.score_pct': { column: 'Score', scale: 100 },
        'assessment.taken_at': { latest: true },
      },
    });
  });

  it('a draft lists the guesses that a person should check', async () => {
    const { mapping, doubts } = await draftOf('Email,Started\nana@x.test,01/02/2024\n');
    expect(mapping.guesses).toEqual([expect.stringMatching(/day first or month first; .* is assumed/)]);
    expect(doubts.join('\n')).toMatch(/platform_course_id/);
  });

  it('no draft is made of a table without learners', async () => {
    await expect(draftOf('Planet,Moons\nMars,2\n')).rejects.toThrow(
      'No mapping can be drafted for history.csv: no column identifies a learner or a record.',
    );
  });

  it.each([
    ['points of 10 are no percentage', 'Score', '9.5', undefined],
    ['a percentage is one, however low', 'Score', '9.5 %', 'Score'],
    ['points of 100 are a percentage', 'Score', '95', 'Score'],
  ])('a draft of a score: %s', async (_, header, score, source) => {
    const { mapping, doubts } = await draftOf(`Email,Course,Status,${header}\na@x.test,SEC,Completed,${score}\n`);
    expect(mapping.record['assessment.score_pct']).toEqual(source);
    expect(doubts.some((doubt) => doubt.includes('points of 10'))).toBe(source === undefined);
  });

  it('a draft starts at the first access, and at the enrollment where there is none', async () => {
    const { mapping } = await draftOf(
      'Email,Course,Status,Date Enrolled,Date Started\na@x.test,SEC,Completed,2024-01-20,2024-01-21\n',
    );
    expect(mapping.record['progress.started_at']).toEqual(['Date Started', 'Date Enrolled', { earliest: true }]);
  });

  it('a draft of a file without learners is refused', async () => {
    await expect(draftOf('Course,Status\nSEC,Completed\n')).rejects.toThrow('no column identifies a learner');
  });
});
