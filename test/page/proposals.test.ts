/** From an assistant of another maker, over the command, to what a person confirms and imports. Costs half a minute; needs Chromium. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/index.ts';
import { runCli } from '../importer/command/support/run-cli.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { ADMIN, Person } from './person.ts';
import { storedOf } from './support/five-files.ts';
import { usePage } from './support/use-page.ts';

const folder = temporaryFolder('migration-proposals');
const key = join(folder, 'machine.jwk.json');
const used = usePage({ clientKey: key });

/** Icelandic, which no lexicon has: person, course, state, grade in words, day. */
const FILE = 'namskeid.csv';
const ROWS = [
  'ben.castillo@acme.test,Information Security Essentials,Lokið,14.05.2022',
  'chiara.romano@acme.test,Welcome to Acme,Lokið,15.05.2022',
  'dmitri.volkov@acme.test,Welcome to Acme,Í vinnslu,',
  'grace.mensah@acme.test,Giving Feedback,Féll,17.05.2022',
  'hana.suzuki@acme.test,Giving Feedback,Hætt,',
];
const TEXT = ['Netfang,Námskeið,Staða,Dagur', ...ROWS].join('\n');

interface Offered {
  readonly kind: string;
  readonly values: Readonly<Record<string, string>>;
  readonly outcomes: readonly { readonly outcome: string; readonly date?: string | null }[];
}

/** What the assistant makes of the words; it is wrong about the last one. */
const MEANS: Readonly<Record<string, readonly [outcome: string, because: string]>> = {
  Lokið: ['completed', '“lokið” means finished'],
  'Í vinnslu': ['in_progress', '“í vinnslu” means in progress'],
  Féll: ['failed', '“féll” means failed'],
  Hætt: ['completed', '“hætt” may mean finished'],
};

async function propose(run: string): Promise<string> {
  const desk = { cwd: folder, config: join(folder, 'config') };
  const login = await runCli(desk, ['login', '--url', used.stack.url, '--client-key', key]);
  expect([login.code, login.stderr]).toEqual([0, expect.anything()]);
  const assistant = new Client({ name: 'an assistant of another maker', version: '1' });
  const main = join(import.meta.dirname, '../../bin/course-progress-migration.mjs');
  const env = { ...process.env, XDG_CONFIG_HOME: desk.config } as Record<string, string>;
  const args = [main, 'mcp', '--folder', folder];
  await assistant.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: folder }));
  const call = async (name: string, input: object) => {
    const { content } = await assistant.callTool({ name, arguments: { ...input } });
    const [{ text }] = content as [{ text: string }];
    return JSON.parse(text).data;
  };
  const choices = { learner: 'Netfang', course: 'Námskeið', dates: { Dagur: 'DD.MM.YYYY' }, state: { Staða: true } };
  const { kinds } = (await call('list_kinds', { file: FILE, choices })) as { kinds: readonly Offered[] };
  const proposed = kinds.map(({ kind, values, outcomes }) => {
    const [outcome, because] = MEANS[values['Staða'] ?? ''] ?? ['leave_out', 'no word'];
    const found =
      outcomes.find((each) => each.outcome === outcome && each.date === 'Dagur') ??
      outcomes.find((each) => each.outcome === outcome);
    return { kind, ...found, because };
  });
  const { a_person_confirms_at } = await call('propose_mapping', {
    file: FILE,
    choices,
    run,
    by: 'Assistant 1',
    kinds: proposed,
  });
  await assistant.close();
  return a_person_confirms_at;
}

it('what an assistant proposes in a language that no lexicon has is confirmed by hand, imported, and true', async () => {
  writeFileSync(join(folder, FILE), TEXT);
  const address = await propose('iceland');
  const place = address.replace(`${used.stack.url}/`, '');
  const person = await Person.visit(used.browser, used.stack.url, place);
  const { page } = person;
  await person.signIn();
  await page.getByText('Assistant 1 proposes what its rows become.').waitFor();
  await person.choose({ name: FILE, text: TEXT });
  await person.continueTo('Review');

  // Nothing of it is taken before a person says so, neither about the whole file nor about a kind.
  const points = page.locator('.notice', { hasText: 'Assistant 1 proposes to read the file like this' });
  expect(await points.getByRole('listitem').allInnerTexts()).toContain('Námskeið names the course.');
  await person.press('Read it like this');
  const group = page.locator('section', { has: page.getByRole('heading', { name: /^4 proposals · 5 rows/ }) });
  await group.waitFor();
  expect(await page.getByText(/^0 of 5 rows confirmed/).count()).toBeGreaterThan(0);
  const first = group
    .getByRole('listitem')
    .filter({ has: page.locator('summary') })
    .first();
  expect(await first.innerText()).toContain('Assistant 1 suggests it: ');
  expect(await first.innerText()).toMatch(/This page (?:would suggest|suggests nothing)/);

  for (const word of ['Lokið', 'Í vinnslu', 'Féll']) await person.press(new RegExp(`Staða ${word}.*: Confirm$`));
  await page.getByRole('combobox', { name: /Staða Hætt/ }).selectOption({ label: 'Leave out' });
  await page
    .getByText(/^5 of 5 rows confirmed/)
    .first()
    .waitFor();
  await person.continueTo('Import');
  await person.isChecked();
  await person.importAll();
  const client = new MigrationClient({ baseUrl: used.stack.url, company_id: 'acme' });
  await client.session.login(ADMIN);
  const stored = await storedOf(
    client,
    ROWS.map((row) => row.split(',', 1).join()),
  );
  expect(stored).toMatchObject({
    'ben.castillo@acme.test 101': '100 2022-05-14',
    'chiara.romano@acme.test 103': '100 2022-05-15',
  });
  expect(Object.keys(stored)).not.toContain('hana.suzuki@acme.test 104');
  const { document } = await client.getRun('iceland', { include: 'document' });
  expect(JSON.stringify(document)).toContain('“hætt” may mean finished');
  expect(person.complaints).toEqual([]);
});
