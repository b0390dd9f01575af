/** The exports of ../exports and of the documentation, what is expected of each, and the platform that they are read against. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Choices, ConfirmedKind } from '../../../../bin/importer/engine/language/findings.ts';
import type { SourceOptions } from '../../../../bin/importer/engine/read/open-source.ts';
import { createPlatform } from './platform.ts';

export interface Expected {
  readonly options: SourceOptions & { readonly timeZone?: string; readonly set?: readonly string[] };
  readonly choices?: Choices;
  readonly confirm?: readonly ConfirmedKind[];
  /** Why a person writes the mapping, and the mapping. */
  readonly hand?: string;
  readonly mapping?: object;
  readonly rejected?: number;
  readonly skipped?: number;
  readonly left_out?: number;
  readonly end: Readonly<Record<string, object>>;
}

const FOLDER = join(import.meta.dirname, '../exports');
const systems = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'documented' ? [entry.name] : [],
);
export const exported = systems.flatMap((system) =>
  readdirSync(join(FOLDER, system))
    .filter((name) => !name.endsWith('.expected.json'))
    .map((name) => ({ system, name, file: join(FOLDER, system, name) })),
);
const DOCS = join(FOLDER, '../../../../docs/mapping-examples');
export const documented = readdirSync(join(FOLDER, 'documented')).map((expected) => {
  const name = expected.replace('.expected.json', '.csv');
  return { system: 'documented', name, file: join(DOCS, name) };
});

export const jsonAt = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
export const stemOf = (file: string): string => file.replace(/\.[^.]*$/, '');

const LEARNERS = ['ben.castillo', 'chiara.romano', 'grace.mensah', 'hana.suzuki', 'lena.bauer'];
/** Of the documented export of Canvas. */
const NUMBERED = { 9108: 'hana.suzuki', 9110: 'joana.ferreira', 9111: 'kofi.asante' };
const COURSES: Readonly<Record<string, number>> = {
  'DATA-2': 102,
  WELCOME: 103,
  'WELCOME-24': 103,
  'FEEDBACK-24': 104,
  'SEC-1': 101,
  'DAT-2': 102,
  'WEL-3': 103,
  'Information Security Essentials': 101,
  'https://lms.acme.test/courses/security': 101,
  'https://lms.acme.test/courses/welcome': 103,
};

export async function registeredPlatform() {
  const platform = await createPlatform();
  const ids = [...LEARNERS.map((name) => [name.replace(/^(.).*\./, '$1'), name]), ...Object.entries(NUMBERED)];
  await platform.client.registerUserMappings(
    ids.map(([external_user_id = '', name]) => ({ external_user_id, email: `${name}@acme.test` })),
  );
  await platform.client.registerCourseMappings(
    Object.entries(COURSES).map(([external_course_id, platform_course_id]) => ({
      external_course_id,
      platform_course_id,
    })),
  );
  return platform;
}

/** What is expected of the export. */
export const expectedOf = (system: string, name: string): Expected =>
  jsonAt(join(FOLDER, system, `${stemOf(name)}.expected.json`));
