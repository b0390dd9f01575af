/** A deployment as a file, and what `-c` changes for one deployment. Costs milliseconds. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { renderedSettingsSchema } from '../../bin/render-openapi.ts';
import { settingsFrom } from '../../lib/settings-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'companies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examples = resolve(import.meta.dirname, '../../companies');

const from = (context: Record<string, unknown>) => settingsFrom((name) => ({ companies: folder, ...context })[name]);

const ACME = { company: 'acme', stage: 'sandbox' };
const FILE = join(folder, 'acme.sandbox.json');
const write = (content: unknown): void =>
  writeFileSync(FILE, typeof content === 'string' ? content : JSON.stringify(content));

describe('without a file', () => {
  it('a bare synth is a sandbox', () => {
    expect(from({})).toEqual({ settings: { company: 'sandbox', stage: 'sandbox' }, notes: [] });
  });

  it('takes numbers and lists from the command line', () => {
    const given = { 'signing-key': '2', cors: 'https://a.example, https://b.example', alarms: 'ops@example.com' };
    expect(from(given).settings).toMatchObject({
      signingKey: 2,
      cors: ['https://a.example', 'https://b.example'],
      alarms: ['ops@example.com'],
    });
  });

  it('says which file should have what was given', () => {
    expect(from({ company: 'b', alarms: 'ops@example.com' }).notes).toEqual([
      expect.stringContaining(join(folder, 'b.sandbox.json')),
    ]);
  });

  it.each([
    ['production without a company', { stage: 'production' }, 'company'],
    ['a company that leads out of the folder', { company: '../acme' }, 'company'],
    ['a number that is none', { 'signing-key': 'two' }, 'signing-key'],
    ['a list without an item', { cors: '' }, 'cors'],
    ['an item of a list', { cors: 'https://a.example,*' }, 'cors'],
  ])('refuses %s in one line that names the value', (_, context, name) => {
    expect(() => from(context)).toThrow(new RegExp(`^-c ${name}=… .+\\.$`));
  });
});

describe('a file', () => {
  it('is the deployment of the company and stage in its name', () => {
    write({ $schema: './settings.schema.json', ...ACME, alarms: ['ops@example.com'], data: 'data/acme.json' });
    expect(from(ACME)).toEqual({
      settings: { ...ACME, alarms: ['ops@example.com'], data: resolve(folder, 'data/acme.json') },
      notes: [],
    });
  });

  it('is overridden by -c for one deployment, which says so', () => {
    write({ ...ACME, cors: ['https://a.example'], processors: 3 });
    const { settings, notes } = from({ ...ACME, processors: '7' });
    expect(settings).toEqual({ ...ACME, cors: ['https://a.example'], processors: 7 });
    expect(notes).toEqual([expect.stringMatching(/^For this deployment only, -c sets processors\./)]);
  });

  it.each([
    ['not JSON', '{', /must contain one JSON object/],
    ['a list', [], /must contain one JSON object/],
    ['of another company', { ...ACME, company: 'globex' }, /company must be acme/],
    ['of another stage', { ...ACME, stage: 'production' }, /stage must be sandbox/],
    ['without a company', { stage: 'sandbox' }, /company must be acme/],
    ['with a wrong value', { ...ACME, cors: ['x'] }, /cors\.0 must be an origin/],
    ['with a member that is not a setting', { ...ACME, alarm: 'x' }, /alarm is not a setting/],
  ])('that is %s is refused by its name', (_, content, reason) => {
    write(content);
    expect(() => from(ACME)).toThrow(reason);
    expect(() => from(ACME)).toThrow(FILE);
  });
});

describe('the examples', () => {
  it('have the schema that validates them: run npm run openapi after a change', () => {
    expect(readFileSync(join(examples, 'settings.schema.json'), 'utf8')).toBe(renderedSettingsSchema());
  });

  it.each(readdirSync(examples).filter((file) => /\.(sandbox|production)\.json$/.test(file)))('%s is valid', (file) => {
    const [company = '', stage = ''] = file.split('.');
    const { settings } = settingsFrom((name) => ({ company, stage, companies: examples })[name]);
    expect(settings).toMatchObject({ company, stage });
    expect(JSON.parse(readFileSync(join(examples, file), 'utf8'))).toMatchObject({ $schema: './settings.schema.json' });
  });
});
