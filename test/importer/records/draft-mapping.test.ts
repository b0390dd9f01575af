/** Drafts of mappings, guessed from an export. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { draftMapping } from '../../../bin/importer/records/draft-mapping.ts';
import { openSource } from '../../../bin/importer/source/open-source.ts';

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
});
