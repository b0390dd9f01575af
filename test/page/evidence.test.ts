/** Evidence on the page: signed, saved, printed, and checked without an account. Costs seconds; needs Chromium. */
import { expect, it } from 'vitest';
import { localSigner } from '../kit/local-signer.ts';
import { signedRun } from '../importer/engine/evidence/signed-run.ts';
import { Person } from './person.ts';
import { usePage } from './support/use-page.ts';

const used = usePage('shared');
const FILE = [
  'Email,Course,Status,Completed on',
  'ben.castillo@acme.test,Information Security Essentials,Completed,2023-05-14',
  'chiara.romano@acme.test,Information Security Essentials,Completed,2024-05-15',
  'nobody@acme.test,Information Security Essentials,Completed,2024-05-16',
  'ben.castillo@acme.test,Welcome to Acme,Verworfen,',
  'chiara.romano@acme.test,Welcome to Acme,Not started,',
].join('\n');

/** Rejected by the platform, not confirmed, and left out as confirmed: each row that is not on the platform. */
const NOT_MOVED = [
  ['The platform does not know the person.', '1', 'the results'],
  [
    'Left out, as the person who signed confirmed: no completion: neither a day, nor 100 %, nor a word that says so.',
    '1',
    'the statement, in rows',
  ],
  [
    'Left out, as the person who signed confirmed: not started: the words say not started or not completed.',
    '1',
    'the statement, in rows',
  ],
];

const notMoved = ({ page }: Person): Promise<string[][]> =>
  page
    .getByRole('region', { name: 'Not moved, by reason' })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));

/** Between margins of a centimetre, in pixels of CSS. */
const PAPERS = { A4: 718, Letter: 740 } as const;

/** What does not fit on the paper, beside texts for screen readers. */
const cutOff = ({ page }: Person): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = ({ scrollWidth, clientWidth, className }: Element) =>
      clientWidth > 0 && scrollWidth > clientWidth && className !== 'unseen';
    return [...document.querySelectorAll('body, body *')].filter(isCut).map(({ outerHTML }) => outerHTML.slice(0, 200));
  });

const given = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) });

/** The forgery: a key of one's own that wears the genuine kid, in the file of evidence and in one of its own. */
async function forgedIsRefused({ page }: Person, evidence: string): Promise<void> {
  const [header = ''] = JSON.parse(evidence).evidence.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const forged = await signedRun(localSigner(), { header: { kid } });
  const jwks = { keys: forged.keys.map((key) => ({ ...key, kid })) };
  const files = page.getByLabel('Files of evidence');
  await files.setInputFiles([given('forged.json', JSON.stringify({ ...forged, keys: jwks }))]);
  await page.getByText('Not everything holds.').waitFor();
  await page.getByText('Keys came with the evidence. They prove nothing, so they were not used.').waitFor();
  await page.getByLabel('Keys of another platform').setInputFiles([given('keys.json', JSON.stringify(jwks))]);
  await page.getByText(/that is not its thumbprint/).waitFor();
}

it('a person signs evidence of an import; an auditor without an account checks it, and sees what was changed', async () => {
  const person = await Person.signedIn(used.browser, used.stack.url);
  await person.toCheck({ name: 'history.csv', text: FILE });
  await person.importAll();
  await person.page.getByLabel('Reason of the migration').fill('The old system ends.'.repeat(40));
  await person.press('Sign evidence');
  await person.isAt('Evidence');
  await person.page.getByText('Everything that was checked holds.').waitFor();
  await person.page.getByText(/^0 of 5 rows would change anything: /).waitFor();
  await person.page.getByText('"would_change": 0').waitFor({ state: 'hidden' });
  await person.page.getByRole('rowheader', { name: '2024' }).waitFor();
  expect(await notMoved(person)).toEqual(NOT_MOVED);
  const { text: evidence } = await person.saved('Download the evidence');
  const { text: results } = await person.saved('Download its results');
  expect(person.complaints).toEqual([]);

  const auditor = await Person.visit(used.browser, used.stack.url);
  await auditor.page.getByRole('link', { name: 'Verify evidence' }).click();
  await auditor.isAt('Evidence');
  const verify = (lines: string) =>
    auditor.page
      .getByLabel('Files of evidence')
      .setInputFiles([given('evidence.json', evidence), given('results.jsonl', lines)]);
  await verify(results);
  await auditor.page.getByText('Everything that was checked holds.').waitFor();
  expect(await notMoved(auditor)).toEqual(NOT_MOVED);
  await auditor.page.emulateMedia({ media: 'print' });
  for (const [format, width] of Object.entries(PAPERS)) {
    await auditor.page.setViewportSize({ width, height: 1000 });
    expect([format, await cutOff(auditor)]).toEqual([format, []]);
    expect((await auditor.page.pdf({ format })).subarray(0, 5).toString()).toBe('%PDF-');
  }
  expect(await auditor.page.locator('article').innerText()).toMatch(/Digest of the imports.*\s[0-9a-f]{64}\s/);
  await auditor.page.emulateMedia({ media: null });
  await verify(results.replaceAll('chiara.romano', 'chiara.romana'));
  await auditor.page.getByText(/the records \(results.jsonl, line 1–3\) are not those that were sent/).waitFor();
  await auditor.page.getByText('Not everything holds.').waitFor();
  await forgedIsRefused(auditor, evidence);
  await auditor.page.getByLabel('Files of evidence').setInputFiles([given('x.json', '{}')]);
  await auditor.page.getByText('There is no evidence in x.json').waitFor();
  expect(auditor.complaints).toEqual([]);
});
