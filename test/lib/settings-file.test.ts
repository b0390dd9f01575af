/** A deployment as a file, and the changes of `-c` for one deployment. Costs milliseconds. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderedSettingsSchema } from '../../bin/build/openapi.ts';
import { accountOf } from '../../lib/account/account-settings.ts';
import { deploymentsFrom, settingsFrom } from '../../lib/settings-file.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const folder = temporaryFolder('companies');

const companies = resolve(import.meta.dirname, '../../companies');
const examples = join(companies, 'examples');

const from = (context: Record<string, unknown>) => settingsFrom((name) => ({ companies: folder, ...context })[name]);

const ACME = { company: 'acme', stage: 'sandbox' };
const FILE = join(folder, 'acme.sandbox.json');
const write = (content: unknown): void =>
  writeFileSync(FILE, typeof content === 'string' ? content : JSON.stringify(content));

describe('without a file', () => {
  it('a bare synth is a sandbox', () => {
    expect(from({})).toEqual({ settings: { company: 'sandbox', stage: 'sandbox' }, notes: [] });
  });

  it('numbers and lists are read from the command line', () => {
    const given = { 'signing-key': '2', cors: 'https://a.example, https://b.example', alarms: 'ops@example.com' };
    expect(from(given).settings).toMatchObject({
      signingKey: 2,
      cors: ['https://a.example', 'https://b.example'],
      alarms: ['ops@example.com'],
    });
  });

  it('a note says which file should have the settings that were given', () => {
    expect(from({ company: 'b', alarms: 'ops@example.com' }).notes).toEqual([
      expect.stringContaining(join(folder, 'b.sandbox.json')),
    ]);
  });

  it.each([
    ['production without a company', { stage: 'production' }, 'company'],
    ['a company that leads out of the folder', { company: '../acme' }, 'company'],
    ['a text in the place of a number', { 'signing-key': 'two' }, 'signing-key'],
    ['a list without an item', { cors: '' }, 'cors'],
    ['an item of a list', { cors: 'https://a.example,*' }, 'cors'],
  ])('%s is refused in one line that names the value', (_, context, name) => {
    expect(() => from(context)).toThrow(new RegExp(`^-c ${name}=… .+\\.$`));
  });
});

describe('a file', () => {
  it('a file is the deployment of the company and stage in its name', () => {
    write({ $schema: './settings.schema.json', ...ACME, alarms: ['ops@example.com'], data: 'data/acme.json' });
    expect(from(ACME)).toEqual({
      settings: { ...ACME, alarms: ['ops@example.com'], data: resolve(folder, 'data/acme.json') },
      notes: [],
    });
  });

  it('-c overrides a file for one deployment, and a note says so', () => {
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
    [
      'with a member that is not a setting',
      { ...ACME, alarm: 'x', colour: 'red' },
      /alarm is not a setting\.\n.+: colour is not a setting/,
    ],
  ])('a file that is %s is refused by its name', (_, content, reason) => {
    write(content);
    expect(() => from(ACME)).toThrow(reason);
    expect(() => from(ACME)).toThrow(FILE);
  });
});

describe('all deployments of a folder', () => {
  const GOV = { account: '111122223333', region: 'us-gov-west-1' };
  const fleet = join(folder, 'fleet');
  const put = (name: string, content: object): void => writeFileSync(join(fleet, name), JSON.stringify(content));
  const all = (context: Record<string, unknown> = {}) =>
    deploymentsFrom((name) => ({ companies: fleet, ...context })[name]);

  it('a folder without a file is one sandbox', () => {
    mkdirSync(fleet);
    expect(all()).toEqual({ deployments: [from({})], isFleet: false, accounts: new Map() });
  });

  it('a folder is every file of a company and stage, and the account stack if it has a file', () => {
    put('acme.sandbox.json', { company: 'acme', stage: 'sandbox' });
    const decided = { 'web-acl': 'none', 'retention-days': 'none' };
    put('acme.production.json', { company: 'acme', stage: 'production', ...decided });
    put('globex.sandbox.json', { company: 'globex', stage: 'sandbox', processors: 9 });
    put('account.json', { alarms: ['ops@example.com'], budget: 100, 'web-acl': true });
    put('notes.json', {});
    const { deployments, ...rest } = all();
    expect(deployments.map(({ settings }) => `${settings.company} ${settings.stage}`)).toEqual([
      'acme production',
      'acme sandbox',
      'globex sandbox',
    ]);
    const accounts = new Map([['Account', { alarms: ['ops@example.com'], budget: 100, 'web-acl': true }]]);
    expect(rest).toEqual({ accounts, isFleet: true });
  });

  it('a name selects one deployment, which knows of the account stack', () => {
    const { deployments, isFleet, accounts } = all({ company: 'globex', stage: 'sandbox' });
    expect(deployments.map(({ settings }) => settings)).toEqual([
      { company: 'globex', stage: 'sandbox', processors: 9 },
    ]);
    expect([isFleet, accounts.get('Account')?.budget]).toEqual([false, 100]);
  });

  it.each([
    [{ budget: 0 }, /account\.json: budget must be/],
    [{ colour: 'red', size: 1 }, /account\.json: colour is not a setting of an account\.\n.+: size is not/],
    [{ alarms: ['ops'] }, /account\.json: alarms\.0 must be/],
    [{ region: 'eu-west-1' }, /account\.json: account and region go together/],
    [{ ...GOV, budget: 100 }, /account\.json: budget is not available in GovCloud/],
    [{ ...GOV, region: 'cn-north-1' }, /account\.json: resource-tags must be false in China/],
  ])('an account with %j is refused by the name of the wrong setting', (written, reason) => {
    put('account.json', written);
    expect(() => all()).toThrow(reason);
  });
});

describe('a folder of several accounts and regions', () => {
  const zones = join(folder, 'zones');
  const put = (name: string, content: object): void => writeFileSync(join(zones, name), JSON.stringify(content));
  const all = () => deploymentsFrom((name) => (name === 'companies' ? zones : undefined));
  const EU = { account: '111122223333', region: 'eu-west-1' };
  const CHINA = { account: '444455556666', region: 'cn-north-1' };

  it('each account and region has an account stack of its own, which serves the deployments there', () => {
    mkdirSync(zones);
    put('account-eu.json', { ...EU, 'web-acl': true });
    put('account-china.json', { ...CHINA, 'resource-tags': false, 'fleet-check': false });
    put('acme.sandbox.json', { company: 'acme', stage: 'sandbox', ...EU });
    put('globex.sandbox.json', { company: 'globex', stage: 'sandbox', ...CHINA });
    put('initech.sandbox.json', { company: 'initech', stage: 'sandbox', ...EU, region: 'us-east-1' });
    const { deployments, accounts } = all();
    const beside = deployments.map(({ settings }) => [settings.company, accountOf(settings, accounts)?.[0]]);
    expect(beside).toEqual([
      ['acme', 'Account-eu'],
      ['globex', 'Account-china'],
      ['initech', undefined],
    ]);
    expect([...accounts.keys()]).toEqual(['Account-china', 'Account-eu']);
  });

  it('two account stacks of one account and region are refused by the names of their files', () => {
    put('account.json', EU);
    expect(all).toThrow(/account\.json is of the same account and region as .*account-eu\.json/);
  });
});

describe('the examples', () => {
  it('the examples have an account stack', () => {
    const { accounts } = deploymentsFrom((name) => (name === 'companies' ? examples : undefined));
    expect(accounts.get('Account')).toMatchObject({ account: '111122223333' });
  });

  it('the examples have the schema that validates them: run npm run openapi after a change', () => {
    expect(readFileSync(join(companies, 'settings.schema.json'), 'utf8')).toBe(renderedSettingsSchema());
  });

  it.each(readdirSync(examples).filter((file) => /\.(sandbox|production)\.json$/.test(file)))(
    'the example %s is valid',
    (file) => {
      const [company = '', stage = ''] = file.split('.');
      const { settings } = settingsFrom((name) => ({ company, stage, companies: examples })[name]);
      expect(settings).toMatchObject({ company, stage });
      expect(JSON.parse(readFileSync(join(examples, file), 'utf8'))).toMatchObject({
        $schema: '../settings.schema.json',
      });
    },
  );
});
