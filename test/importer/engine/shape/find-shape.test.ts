/** Tables in which a row is not one learner in one course, as reports of learning systems have them. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { drafted } from './drafted.ts';

describe('several courses in a row', () => {
  it('a matrix of statuses gives a record for each course of a learner', async () => {
    const { records, guesses } = await drafted(
      'Name,Email,Security,Welcome,Data\nA,a@x.test,Completed,In progress,\nB,b@x.test,Not started,Completed,Completed\n',
    );
    expect(guesses).toEqual([]);
    expect(records).toEqual([
      'a@x.test Security 100 %',
      'a@x.test Welcome 0 %',
      'b@x.test Security 0 %',
      'b@x.test Welcome 100 %',
      'b@x.test Data 100 %',
    ]);
  });

  it('a matrix of percentages gives them, and a matrix of mere numbers is asked about', async () => {
    const { records } = await drafted('E-Mail;Sicherheit;Willkommen\na@x.test;100%;50%\nb@x.test;0%;\n');
    expect(records).toEqual(['a@x.test Sicherheit 100 %', 'a@x.test Willkommen 50 %', 'b@x.test Sicherheit 0 %']);
    const numbers = await drafted('Email,Security,Welcome\na@x.test,100,50\nb@x.test,0,87\n');
    expect(numbers.guesses).toEqual([
      expect.stringMatching(/^2 columns like "Security" are read as courses.*progress/),
    ]);
  });

  it('columns with yes and no are courses if the catalog has their titles, and asked about', async () => {
    const csv = 'Email,Security,Welcome\na@x.test,Yes,No\nb@x.test,No,Yes\n';
    const { records, guesses } = await drafted(csv, (title) => title === 'Security' || title === 'Welcome');
    expect(guesses).toHaveLength(1);
    expect(records.slice(0, 2)).toEqual(['a@x.test Security 100 %', 'a@x.test Welcome 0 %']);
    expect((await drafted(csv)).mapping.record['progress.classes']).toHaveLength(2);
  });

  it('a second row of headers below merged cells names the columns of each course', async () => {
    const { records, guesses } = await drafted(
      'Name,Email,Security,,Welcome,\n,,Status,Date,Status,Date\nA,a@x.test,Completed,2024-01-02,In progress,\nB,b@x.test,Not started,,Completed,2024-03-04\n',
    );
    expect(guesses).toEqual([]);
    expect(records).toEqual([
      'a@x.test Security 100 % 2024-01-02',
      'a@x.test Welcome 0 %',
      'b@x.test Security 0 %',
      'b@x.test Welcome 100 % 2024-03-04',
    ]);
  });

  it('numbered columns are several enrolments in a row', async () => {
    const { records } = await drafted(
      'Email,Course 1,Status 1,Completed on 1,Course 2,Status 2,Completed on 2\na@x.test,SEC,Completed,2024-01-02,WEL,In Progress,\nb@x.test,SEC,Failed,2024-01-20,,,\n',
    );
    expect(records).toEqual(['a@x.test SEC 100 % 2024-01-02', 'a@x.test WEL 0 %', 'b@x.test SEC 0 %']);
  });
});

describe('several rows to a name', () => {
  it('a heading names the course of the rows below, and subtotals and totals are skipped', async () => {
    const { records, guesses } = await drafted(
      'Training report,,\nEmail,Status,Completed on\nCourse: Security,,\na@x.test,Completed,2024-01-02\nb@x.test,Not started,\nSubtotal,1,\nCourse: Welcome,,\na@x.test,In progress,\nSubtotal,0,\nGrand total,2,\n',
    );
    expect(guesses).toEqual([]);
    expect(records).toEqual(['a@x.test Security 100 % 2024-01-02', 'b@x.test Security 0 %', 'a@x.test Welcome 0 %']);
  });

  it('cells that are empty below a learner are asked about', async () => {
    const { records, guesses } = await drafted(
      'Email,Course,Status,Completed on\na@x.test,SEC,Completed,2024-01-20\n,WEL,In progress,\nb@x.test,SEC,Not started,\n,WEL,Completed,2024-02-23\n',
    );
    expect(guesses).toEqual(['"Email" is empty in 2 rows: each is read with the text of the row above.']);
    expect(records.at(-1)).toBe('b@x.test WEL 100 % 2024-02-23');
  });

  it('a course whose title begins with Total is no sum', async () => {
    const { records } = await drafted(
      'Course,Email,Status\nTotal Quality,a@x.test,Completed\nTotal Quality,b@x.test,Not started\n',
    );
    expect(records).toEqual(['a@x.test Total Quality 100 %', 'b@x.test Total Quality 0 %']);
  });
});
