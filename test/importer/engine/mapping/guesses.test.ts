/** Meanings that a person has to confirm, with values and counts. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { refusalLines, unconfirmed } from '../../../../bin/importer/engine/mapping/guesses.ts';
import { drafted } from '../shape/drafted.ts';

const guessesIn = async (csv: string): Promise<readonly string[]> => (await drafted(csv)).guesses;

describe('guesses', () => {
  it.each([
    [
      'only 0 and 1 under a percentage',
      'Email,Course,Progress\na@x.test,SEC,1\nb@x.test,SEC,0\nc@x.test,SEC,1\n',
      '"Progress": it holds only "1" (2 rows), "0" (1 row); 1 is read as completed, not as 1 %.',
    ],
    [
      'yes and no under a header that does not ask',
      'Email,Course,Status\na@x.test,SEC,Yes\nb@x.test,SEC,No\n',
      '"Status": "Yes" (1 row), "No" (1 row) is read as completed or not, which the header does not say.',
    ],
    [
      'a date whose day may be its month',
      'Email,Course,Completed on\na@x.test,SEC,01/02/2024\n',
      '"Completed on": "01/02/2024" may be day first or month first; D/M/YYYY is assumed in 1 row.',
    ],
    [
      'a column that says Failed beside a date that says completed',
      'Email,Course,Remark,Completed on\na@x.test,SEC,Failed,2024-01-20\nb@x.test,SEC,Completed,2024-01-21\n',
      '"Remark": "Failed" (1 row) is not used; the completed courses are taken from other columns.',
    ],
    [
      'an exam that is completed, where nothing says so of the course',
      'Email,Course,Final quiz\na@x.test,SEC,Completed (achieved pass grade)\nb@x.test,SEC,Failed\n',
      '"Final quiz": "Completed (achieved pass grade)" (1 row) is said of an exam, and read as a course not completed.',
    ],
    [
      'a grade in letters beside a date that says completed',
      'Email,Course,Grade,Completed on\na@x.test,SEC,A,2024-01-20\nb@x.test,SEC,F,2024-01-21\n',
      '"Grade": "A" (1 row), "F" (1 row) is not known and not used; every row with a date of completion is read as completed.',
    ],
    [
      'no under a header that asks for a result, beside a date that says completed',
      'Email,Course,Certified,Completed on\na@x.test,SEC,Yes,2024-01-20\nb@x.test,SEC,No,2024-01-21\n',
      '"Certified": "No" (1 row) is not used; the completed courses are taken from other columns.',
    ],
    [
      'the same in 0 and 1',
      'Email,Course,Credit awarded,Completed on\na@x.test,SEC,1,2024-01-20\nb@x.test,SEC,0,2024-01-21\n',
      '"Credit awarded": "0" (1 row) is not used; the completed courses are taken from other columns.',
    ],
    [
      'yes under a header that asks for a failure',
      'Email,Course,Failed,Completed on\na@x.test,SEC,No,2024-01-20\nb@x.test,SEC,Yes,2024-01-21\n',
      '"Failed": "Yes" (1 row) is not used; the completed courses are taken from other columns.',
    ],
    [
      'the end of a course, which may be that of a session,',
      'Email,Course,End Date\na@x.test,SEC,2024-01-20\nb@x.test,SEC,2024-01-21\n',
      '"End Date": every row with it (2 rows) is read as completed on that day, which the header does not say.',
    ],
    [
      'a second column with the same header',
      'Email,Status,Status\na@x.test,Completed,Not started\nb@x.test,In progress,Completed\n',
      '"#3" has the header "Status" too, and is not used: "Not started" (1 row), "Completed" (1 row).',
    ],
  ])('%s is asked about', async (_, csv, guess) => {
    expect(await guessesIn(csv)).toEqual([guess]);
  });

  it.each([
    ['yes under a header that asks', 'Email,Course,Completion Status\na@x.test,SEC,Yes\nb@x.test,SEC,No\n'],
    ['0 and 1 under a header that asks', 'Email,Course,Completed\na@x.test,SEC,1\nb@x.test,SEC,0\n'],
    ['words of a status', 'Email,Course,Status\na@x.test,SEC,Completed\nb@x.test,SEC,Not started\n'],
  ])('%s is certain', async (_, csv) => {
    const { guesses, records } = await drafted(csv);
    expect(guesses).toEqual([]);
    expect(records).toEqual(['a@x.test SEC 100 %', 'b@x.test SEC 0 %']);
  });

  it.each([
    ['Score (out of 50)', 'Email,Course,Score (out of 50),Status\na@x.test,SEC,48,Passed\n', '50'],
    ['Max Score', 'Email,Course,Score,Max Score,Status\na@x.test,SEC,48,60,Passed\n', 'Max Score'],
  ])('points under or beside "%s" are no percentage', async (_, csv, most) => {
    const { doubts, mapping } = await drafted(csv);
    expect(mapping.record['assessment.score_pct']).toBeUndefined();
    expect(doubts).toContainEqual(expect.stringContaining(`48 is points of "${most}", so it is not used.`));
  });

  it('the refusal names each guess of a run once, and the next step', () => {
    const mapping = { guesses: ['"A" is a guess.'], record: { external_record_id: 'A' } };
    const guesses = unconfirmed({ sources: [{ mapping }, { mapping }, { mapping: undefined }] });
    expect(guesses).toEqual(['"A" is a guess.']);
    expect(refusalLines(guesses).join('\n')).toMatch(
      /^Nothing imported: [\s\S]* - "A" is a guess\.[\s\S]*--accept-guesses/,
    );
  });
});
