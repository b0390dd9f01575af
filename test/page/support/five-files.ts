/** The exports of five usual systems in five-files/, with what a person reads in each row, and the company that they come from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationClient } from '../../../bin/importer/client/index.ts';
import type { ChosenFile } from '../person.ts';

const FOLDER = join(import.meta.dirname, '../five-files');

/** Twenty learners of each system, all of them in five courses. */
export const COMPANY_FILE = join(FOLDER, 'company.json');

export interface System {
  readonly name: string;
  readonly file: ChosenFile;
  readonly rows: number;
  /** `email course`: percentage, day, `C` for a certificate; a row that is named as not imported is not there. */
  readonly truth: Readonly<Record<string, string>>;
  /** What a person answers where nothing is suggested: words of the kind, and the outcome. */
  readonly answers: Readonly<Record<string, string>>;
}

function systemOf(name: string, file: string, answers: System['answers'] = {}, rows = 100): System {
  const lines = readFileSync(join(FOLDER, file.replace(/\..*$/, '.truth.txt')), 'utf8').trimEnd();
  const truth = Object.fromEntries(lines.split('\n').map((line) => line.split(': ')));
  return { name, file: { name: file, text: readFileSync(join(FOLDER, file)) }, rows, truth, answers };
}

/** A percentage beside a word for completed or not. */
export const MOODLE = systemOf('Moodle', 'moodle.csv');

export const FIVE: readonly System[] = [
  MOODLE,
  // Times of day with the name of their zone, as it is spoken.
  systemOf('SuccessFactors', 'successfactors.csv', { 'COURSE-INC': 'Leave out', 'NO-SHOW': 'Leave out' }),
  // A word, a percentage, and a dash for what there is none of.
  systemOf('TalentLMS', 'talentlms.csv'),
  // Two sheets with a title and a sum, addresses of a former domain, dates as texts and as Excel has them.
  systemOf(
    'German workbook',
    'nachweis.xlsx',
    {
      teilgenommen: 'Completed on abgeschlossen am',
      offen: 'Leave out',
      befreit: 'Leave out',
      krank: 'Leave out',
    },
    102,
  ),
  // A status beside a percentage, useless columns, mistyped addresses, a leaver, and a cell that is no date.
  systemOf('Cornerstone', 'cornerstone.csv'),
];

/** What the platform has of these people, as the truth has it. */
export async function storedOf(client: MigrationClient, emails: Iterable<string>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const email of emails)
    for await (const { platform_course_id, effective } of client.learnerCourses({ email })) {
      const { completion_pct, completed_at, approved_course } = effective;
      const parts = [completion_pct, completed_at?.slice(0, 10), approved_course === 1 ? 'C' : undefined];
      found[`${email} ${platform_course_id}`] = parts.filter((part) => part !== undefined).join(' ');
    }
  return found;
}
