/** The mails about a run, word for word in one language and complete in each. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { mailAbout } from '../../functions/notices/texts.ts';
import { RUN_EVENT_TYPES } from '../../functions/shared/codes.ts';
import { noticedRun as RUN } from './run.ts';

const PAGE = 'https://api.example/sandbox/';

describe('a mail', () => {
  it('a mail says what happened, with the counts of the plan, where to go, and why it came', () => {
    expect(mailAbout('Plan Waiting', RUN, PAGE)).toEqual({
      subject: 'Ready to import: History 2026',
      text: [
        'The migration “History 2026” is ready to be imported. Nothing has been written yet.',
        'Records: 1,234\nNew: 1,200\nChanged: 10\nUnchanged: 4\nCannot be written: 20',
        'Open the migration: https://api.example/sandbox/#/run?id=history%2F2026',
        'Company: acme',
        'You get this mail because an administrator of the migration chose you for its notices.',
      ].join('\n\n'),
    });
  });

  it('after the import it has the counts of the imports, in the language of the run', () => {
    const { subject, text } = mailAbout('Run Ended', { ...RUN, language: 'de' }, undefined);
    expect(subject).toBe('Importiert: History 2026');
    expect(text.split('\n\n').slice(1, 3)).toEqual([
      'Datensätze: 1.234\nImportiert: 1.214\nAbgelehnt: 20',
      'Unternehmen: acme',
    ]);
  });

  it('an application that was cancelled is not called imported', () => {
    const cancelled = { ...RUN, plan: { ...RUN.plan, status: 'cancelled' } };
    expect(mailAbout('Run Ended', cancelled, PAGE).subject).toBe('Cancelled: History 2026');
    expect(mailAbout('Run Reverted', cancelled, PAGE).subject).toBe('Taken back: History 2026');
  });

  it('without a title the id names the run', () => {
    expect(mailAbout('Run Ended', { ...RUN, title: null }, PAGE).subject).toBe('Imported: history/2026');
  });

  it('a title that holds line breaks begins no other header or line', () => {
    const { subject, text } = mailAbout('Run Ended', { ...RUN, title: 'A\r\nBcc: x@y.test\u2028B' }, PAGE);
    expect(subject).toBe('Imported: A Bcc: x@y.test B');
    expect(text.split('\n')[0]).toBe('The migration “A Bcc: x@y.test B” is imported.');
  });

  it('every event has its words in each language, and no two languages share them', () => {
    const subjects = RUN_EVENT_TYPES.flatMap((type) =>
      ['en', 'de'].map((language) => mailAbout(type, { ...RUN, language }, PAGE).subject),
    );
    expect(new Set(subjects).size).toBe(2 * RUN_EVENT_TYPES.length);
    expect(mailAbout('Run Ended', { ...RUN, language: null }, PAGE)).toEqual(mailAbout('Run Ended', RUN, PAGE));
  });
});
