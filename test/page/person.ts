/** A person in front of the page: signs in, chooses files, presses the buttons by their names. */
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

export interface ChosenFile {
  readonly name: string;
  readonly text: string | Buffer;
}

/** So many records in the names of the platform, of five learners in two courses. */
export const historyOf = (name: string, rows: number): string =>
  [
    'external_record_id,user.email,content.platform_course_id,progress.completion_pct',
    ...Array.from(
      { length: rows },
      (_, row) => `${name}-${row},${LEARNERS[row % 5]}@acme.test,${104 + (row % 2)},${row % 100}`,
    ),
  ].join('\n');
const LEARNERS = ['farid.haddad', 'hana.suzuki', 'joana.ferreira', 'kofi.asante', 'lena.bauer'];

export const ADMIN = { email: 'admin@acme.test', password: 'changeme' };

/** The button that confirms all that is suggested: of a known system, by its sentence. */
export const SUGGESTIONS = /^(?:Confirm \d+ suggestions?|Yes, that is right)$/;

/** Without scrolling. */
export async function isInView(place: Locator): Promise<boolean> {
  const box = await place.boundingBox();
  const { height = 0 } = place.page().viewportSize() ?? {};
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

export class Person {
  readonly page: Page;
  /** What the browser complained about: errors of scripts, refusals of its policies. */
  readonly complaints: string[] = [];
  readonly requested: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    // A busy machine is slow; a test has a limit of its own.
    page.setDefaultTimeout(Number(process.env.PATIENCE ?? 120_000));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d|status of 503/.test(message.text()))
        this.complaints.push(message.text());
    });
    page.on('request', (request) => this.requested.push(request.url()));
  }

  /** @param context keeps what a browser keeps between visits */
  static async visit(context: Browser | BrowserContext, url: string, place = ''): Promise<Person> {
    const person = new Person(await context.newPage());
    await person.page.goto(`${url}/${place}`);
    return person;
  }

  static async signedIn(context: Browser | BrowserContext, url: string): Promise<Person> {
    const person = await Person.visit(context, url);
    await person.signIn();
    await person.isAtFile();
    return person;
  }

  /** After the sign-in: a company without a migration begins with one. */
  async isAtFile(): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: /^(?:Migrations|File)$/ }).waitFor();
    if ((await this.heading()) === 'Migrations') await this.press('New migration');
    await this.isAt('File');
  }

  heading(): Promise<string> {
    return this.page.locator('h1').innerText();
  }

  async isAt(screen: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: screen, exact: true }).waitFor();
  }

  async signIn({ email, password } = ADMIN): Promise<void> {
    await this.page.getByLabel('E-mail address').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.press('Sign in');
  }

  async choose(...files: readonly ChosenFile[]): Promise<void> {
    await this.page
      .getByLabel('Files')
      .setInputFiles(files.map(({ name, text }) => ({ name, mimeType: '', buffer: Buffer.from(text) })));
    for (const { name } of files) await this.page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  async continueTo(screen: string): Promise<void> {
    await this.press('Continue');
    await this.isAt(screen);
  }

  async toReview(...files: readonly ChosenFile[]): Promise<void> {
    await this.choose(...files);
    await this.continueTo('Review');
  }

  /** With what the page suggests; steps that have nothing to ask are left out. */
  async toCheck(...files: readonly ChosenFile[]): Promise<void> {
    await this.choose(...files);
    await this.press('Continue');
    await this.page.getByRole('heading', { level: 1, name: /^(?:Review|Import)$/ }).waitFor();
    if ((await this.heading()) === 'Review') await this.confirmSuggestions();
    await this.isChecked();
  }

  async confirmSuggestions(): Promise<void> {
    await this.press(SUGGESTIONS);
    await this.continueTo('Import');
  }

  /** The check, which runs by itself, has ended. */
  async isChecked(): Promise<void> {
    await this.isAt('Import');
    await this.page.locator('.verdict').waitFor();
  }

  /** After something was decided on Import. */
  async checkAgain(): Promise<void> {
    await this.press('Check again');
    await this.page.getByRole('button', { name: 'Check again' }).waitFor({ state: 'detached' });
  }

  async startImport(): Promise<void> {
    await this.press(/^Import [\d,]+ records?$/);
  }

  async importAll(): Promise<void> {
    await this.startImport();
    await this.isAt('Result');
  }

  /** The file that this button saves. */
  async saved(button: string): Promise<{ readonly name: string; readonly text: string }> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.press(button)]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  }

  /** Each row of the file, by where it is or would be. */
  async sorted(): Promise<Record<string, number>> {
    const rows = this.page.locator('table.sorted tr');
    const cells = await rows.evaluateAll((all) =>
      all.map(({ children: [name, count] }) => [name, count].map((each) => each?.textContent ?? '')),
    );
    return Object.fromEntries(cells.map(([name = '', count = '']) => [name, Number(count.replaceAll(',', ''))]));
  }

  async counts(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const name of ['applied', 'updated', 'unchanged', 'skipped', 'rejected']) {
      const row = this.page
        .locator('table:not(.sorted)')
        .getByRole('row')
        .filter({ has: this.page.getByRole('rowheader', { name, exact: true }) });
      counts[name] = Number((await row.first().getByRole('cell').innerText()).replaceAll(',', ''));
    }
    return counts;
  }
}
