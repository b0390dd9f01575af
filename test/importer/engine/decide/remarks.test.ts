/** Remarks in free words: which of them a person has to read beside a completion. Milliseconds. */
import { describe, expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';

const NOW = Date.parse('2026-11-27');

/** What becomes of the kind with the remark, which two of eight rows have. */
async function outcomeOf(header: string, remark: string, completed: string, open: string): Promise<string | null> {
  const rows = [remark, remark, '', '', '', '', '', ''].map((text, index) =>
    [`p${index}@acme.test`, `Course ${index % 3}`, index < 6 ? completed : open, `"${text}"`].join(),
  );
  const file = new File([[header, ...rows].join('\n')], 'history.csv');
  const { kinds } = await findKinds([await openSource(file, { now: NOW })]);
  const own = kinds.find(({ values }) => Object.values(values).includes(remark));
  return own === undefined ? 'no such kind' : own.outcome;
}

const beside = (remark: string, word = 'Completed', header = 'Remarks') =>
  outcomeOf(`Email,Course,Status,Completed on,${header}`, remark, `${word},2026-01-22`, 'In progress,');

describe('beside a word of a completion and its day', () => {
  it.each([
    ['Equivalent certificate seen by manager', 'RPL Note'],
    ['Certificate in HR archive', 'Comments'],
    ['Copy of certificate received', 'Remarks'],
    ['Zertifikat liegt im Ordner', 'Notes'],
    ['Kopie angefordert', 'Notes'],
    ['copie à demander', 'Notes'],
    ['attestation archivée', 'Notes'],
    ['copia en el expediente', 'Notes'],
  ])('%s says nothing more', async (remark, header) => {
    expect(await beside(remark, 'Completed', header)).toBe('completed');
  });

  it.each([
    'struck off after audit',
    'entered by mistake',
    'did not attend - marked in error',
    'Certificate?',
    'Certificate withdrawn',
    'Certificate not issued',
    'Certificate expired',
    'Certificate lapsed',
    'Certificate failed the audit',
    'Certificate of a colleague',
    'Certificate to be checked',
    'Copy of certificate, absent on day 2',
    'Certificate for 2 of 3 modules',
    'Certificate pending',
    'Copy of the certificate for the first part only',
    'Wrong certificate',
    'Zertifikat nicht anerkannt',
    'Zertifikat zurückgezogen',
    'Zertifikat abgelaufen',
    'certificat refusé',
    'attestation périmée',
    'copie sans signature',
    'certificado anulado',
    'diploma de otra persona',
    'certificaat ingetrokken',
    'attestato revocato',
    'certifikát neplatný',
    '証明書あり',
    'сертификат получен',
    'The certificate was seen by the manager of the department in the spring',
  ])('%s is asked about', async (remark) => {
    expect(await beside(remark)).toBeNull();
  });

  it.each([
    ['Frobnicated', 'Remarks'],
    ['', 'Remarks'],
    // The state itself.
    ['Completed', 'Result'],
  ])('a remark is asked about beside the status %j under %s', async (word, header) => {
    expect(await beside('Copy of certificate received', word, header)).toBeNull();
  });
});

const PAPER = 'Copy of certificate received';

it('beside a day alone a remark is asked about, unless each row has the number of a certificate', async () => {
  const day = (more: string, ...cells: [string, string]) =>
    outcomeOf(`Email,Course,Completed on,${more}Remarks`, PAPER, ...cells);
  expect(await day('', '2026-01-22', '2026-01-23')).toBeNull();
  const rows = Array.from({ length: 8 }, (_, index) =>
    [`p${index}@acme.test`, `Course ${index % 3}`, `4711-${index}`, '2026-01-22', index < 2 ? PAPER : ''].join(),
  );
  const csv = ['Email,Course,Certificate no.,Date obtained,Remarks', ...rows].join('\n');
  const { kinds } = await findKinds([await openSource(new File([csv], 'register.csv'), { now: NOW })]);
  expect(kinds.map(({ outcome }) => outcome)).toEqual(['certified', 'certified']);
});

it('beside what is not done a remark completes nothing', async () => {
  expect(await beside(PAPER, 'Withdrawn')).toBeNull();
  expect(
    await outcomeOf('Email,Course,Status,Completed on,Remarks', PAPER, 'In progress,', 'Completed,2026-01-22'),
  ).not.toBe('completed');
});
