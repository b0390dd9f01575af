/** A company of any size and the export of its old learning system: every learner in every course, one row each. */
import { createWriteStream, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { userIn } from '../../../kit/test-data.ts';

export const COMPANY = 'big';
export const ADMIN = { email: 'admin@big.test', password: 'correct horse battery staple' };
const COURSES = Array.from({ length: 20 }, (_, i) => 101 + i);

export const learnersOf = (rows: number): number => Math.ceil(rows / COURSES.length);

const emailOf = (learner: number): string => `learner-${learner}@big.test`;

export function writeDataFile(path: string, learners: number): void {
  const company_id = COMPANY;
  const user = (id: number, email: string, more: object) => userIn(company_id, id, `User ${id}`, { email, ...more });
  const classes = (id: number) => [1, 2, 3, 4].map((n) => ({ platform_class_id: id * 10 + n, title: `Class ${n}` }));
  writeFileSync(
    path,
    JSON.stringify({
      companies: [{ company_id, name: 'Big', migrations_enabled: true }],
      users: [
        user(1, ADMIN.email, { role: 'admin', password: ADMIN.password }),
        ...Array.from({ length: learners }, (_, i) => user(10 + i, emailOf(i), {})),
      ],
      courses: COURSES.map((id) => ({
        company_id,
        platform_course_id: id,
        title: `Course ${id}`,
        has_exam: id % 2 === 1,
        classes: classes(id),
      })),
      progress: [],
    }),
  );
}

export interface ExportShape {
  readonly rows: number;
  readonly learners: number;
  /** The distance of rows whose learner the platform does not know; 0 for no such row. */
  readonly strangerEvery: number;
  readonly prefix?: string;
}

export const HEADER = 'Enrolment ID,E-mail address,Course,Progress,Enrolled on,Last access,Result,Grade';

/** Row number, from 0, to its line. Row i is learner i div 20 in course i mod 20: no pair twice. */
export function exportRow(i: number, { learners, strangerEvery, prefix = 'enrolment' }: ExportShape): string {
  const isStranger = strangerEvery > 0 && i % strangerEvery === strangerEvery - 1;
  const learner = Math.floor(i / COURSES.length) % learners;
  const email = isStranger ? `stranger-${i}@big.test` : emailOf(learner);
  const course = COURSES[i % COURSES.length];
  const month = String((i % 12) + 1).padStart(2, '0');
  return `${prefix}-${i},${email},${course},${i % 101} %,15/${month}/2024 08:30,28/${month}/2024 17:45,${i % 3 === 0 ? 'Passed' : 'Not taken'},${i % 101}`;
}

export async function writeExport(path: string, shape: ExportShape): Promise<void> {
  function* lines(): Generator<string> {
    yield `${HEADER}\n`;
    for (let i = 0; i < shape.rows; i += 1) yield `${exportRow(i, shape)}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

export const MAPPING = {
  dates: 'DD/MM/YYYY HH:mm',
  time_zone: 'Europe/Madrid',
  record: {
    external_record_id: 'Enrolment ID',
    'user.email': 'E-mail address',
    'content.platform_course_id': 'Course',
    'progress.started_at': 'Enrolled on',
    'progress.last_activity_at': 'Last access',
    'assessment.score_pct': 'Grade',
  },
  kinds: {
    columns: { Progress: { read: 'percent' }, Result: { read: 'text' } },
    dates: { 'Last access': 'DD/MM/YYYY HH:mm' },
    confirmed: ['0', 'between', '100'].flatMap((percent) => [
      { values: { Progress: percent, Result: 'Passed' }, outcome: 'certified', date: 'Last access' },
      percent === '100'
        ? { values: { Progress: percent, Result: 'Not taken' }, outcome: 'completed', date: 'Last access' }
        : { values: { Progress: percent, Result: 'Not taken' }, outcome: 'in_progress', percent: 'Progress' },
    ]),
  },
};
