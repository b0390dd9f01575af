import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  ACCOUNT_STACK,
  type Accounts,
  type AccountSettings,
  parseAccountSettings,
  placeOf,
} from './account/account-settings.ts';
import { isObject } from '../functions/records/json.ts';
import { parseSettings, SETTING_NAMES, SETTINGS } from './settings.ts';

const FOLDER = 'companies';
const ACCOUNT = /^account(-[A-Za-z0-9-]+)?\.json$/;
const DEPLOYMENT = /^(.+)\.(sandbox|production)\.json$/;

type Values = Readonly<Record<string, unknown>>;

/** Company and stage default to `sandbox`; production must be named. @throws Error that names each wrong setting */
export function settingsFrom(context: (name: string) => unknown) {
  const given = contextSettings(context);
  const { company = 'sandbox', stage = 'sandbox' } = given;
  if (given['company'] === undefined && stage === 'production')
    throw new Error('-c company=… is required for production.');
  const names = { company, stage };
  const named = parseSettings(names);
  // The file may have what production requires.
  const unnamed = 'problems' in named ? named.problems.filter(([name]) => name in names) : [];
  if (unnamed.length > 0) throw refusal(unnamed, given);

  const file = join(folderFrom(context), `${String(company)}.${String(stage)}.json`);
  const written = existsSync(file) ? readSettings(file, names) : undefined;
  const parsed = parseSettings({ ...names, ...written, ...given });
  if ('problems' in parsed) throw refusal(parsed.problems, given, file);
  return { settings: parsed.settings, notes: notesOn(file, given, written) };
}

export type Given = ReturnType<typeof deploymentsFrom>;

/** What `-c` names, or the whole folder (`isFleet`), or a sandbox; with account stacks. @throws Error with each wrong one */
export function deploymentsFrom(context: (name: string) => unknown) {
  const folder = folderFrom(context);
  const accounts = accountsIn(folder);
  const isNamed = context('company') !== undefined || context('stage') !== undefined;
  const names = isNamed || !existsSync(folder) ? [] : readdirSync(folder).toSorted();
  const named = names.flatMap((name) => {
    const [, company, stage] = DEPLOYMENT.exec(name) ?? [];
    return company === undefined ? [] : [{ company, stage, companies: folder }];
  });
  if (named.length === 0) return { deployments: [settingsFrom(context)], isFleet: false, accounts };
  const deployments = named.map((each) => settingsFrom((name) => (each as Values)[name] ?? context(name)));
  return { deployments, isFleet: true, accounts };
}

/** @throws Error that names each wrong setting, or two files of one account and region */
function accountsIn(folder: string): Accounts {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => ACCOUNT.test(name)) : [];
  const accounts = new Map<string, AccountSettings>();
  const places = new Map<string, string>();
  for (const name of files.toSorted()) {
    const file = join(folder, name);
    const settings = parseAccountSettings(parseJson(file), file);
    const other = places.get(placeOf(settings));
    if (other !== undefined) throw new Error(`${file} is of the same account and region as ${other}.`);
    places.set(placeOf(settings), file);
    accounts.set(`${ACCOUNT_STACK}${ACCOUNT.exec(name)?.[1] ?? ''}`, settings);
  }
  return accounts;
}

function folderFrom(context: (name: string) => unknown): string {
  const folder = context('companies') ?? FOLDER;
  if (typeof folder !== 'string') throw new Error('-c companies=… must name a folder.');
  return folder;
}

function contextSettings(context: (name: string) => unknown): Values {
  const given = SETTING_NAMES.map((name) => [name, context(name)] as const);
  return Object.fromEntries(
    given
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? fromText(name, value) : value]),
  );
}

/** The value of a text on the command line: a number, true or false, or a list separated by commas. */
function fromText(name: (typeof SETTING_NAMES)[number], text: string): unknown {
  const schema = SETTINGS.entries[name];
  const { type } = 'wrapped' in schema ? schema.wrapped : schema;
  if ((type === 'number' || type === 'union') && /^\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return type === 'array' && text !== '' ? text.split(',').map((item) => item.trim()) : text;
}

/** Members of a file as they are written; `$schema` is for editors, and `data` is relative to the file. */
function readSettings(file: string, names: Values): Values {
  const { $schema: _, data, ...written } = parseJson(file);
  for (const [name, expected] of Object.entries(names))
    if (written[name] !== expected)
      throw new Error(`${file}: ${name} must be ${String(expected)}, as in the file’s name.`);
  return {
    ...written,
    ...(data === undefined ? {} : { data: typeof data === 'string' ? resolve(dirname(file), data) : data }),
  };
}

function parseJson(file: string): Values {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(value)) return value;
  } catch {
    // It is no JSON.
  }
  throw new Error(`${file} must contain one JSON object.`);
}

function refusal(problems: readonly (readonly [string, string])[], given: Values, file = ''): Error {
  const lines = problems.map(([name, rule]) => {
    const [setting = ''] = name.split('.');
    return setting in given || file === '' || !existsSync(file)
      ? `-c ${setting}=… ${rule}.`
      : `${file}: ${name} ${rule}.`;
  });
  return new Error(lines.join('\n'));
}

/** For the person who deploys: one sentence each. */
function notesOn(file: string, given: Values, written: Values | undefined): string[] {
  const names = Object.keys(given).filter((name) => name !== 'company' && name !== 'stage');
  if (names.length === 0) return [];
  const settings = names.join(', ');
  return written === undefined
    ? [
        `Only this deployment has these settings: ${settings}. Write them into ${file}, so that the next one has them too.`,
      ]
    : [`For this deployment only, -c sets ${settings}. The next one takes what ${file} says.`];
}
