/** A company with many learners, and their history in the old system as a CSV file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE } from '../../lib/sandbox/sandbox-data.ts';

const LEARNERS = 2000;

export function writeData(folder: string): string {
  const sample = JSON.parse(readFileSync(SAMPLE, 'utf8')) as { users: object[] };
  const learners = Array.from({ length: LEARNERS }, (_, at) => ({
    id: 1000 + at,
    company_id: 'acme',
    email: `learner-${at + 1}@acme.test`,
    name: `Learner ${at + 1}`,
    role: 'customer',
    avatar: 'https://avatars.acme.test/learner.png',
    license: 'active',
  }));
  const file = join(folder, 'data.json');
  writeFileSync(file, JSON.stringify({ ...sample, users: [...sample.users, ...learners] }));
  return file;
}

/** Some rows name a course that the catalog does not have, as real exports do. */
export function writeHistory(folder: string, rows: number): void {
  const lines = Array.from({ length: rows }, (_, at) => {
    const course = at % 977 === 976 ? 999 : 101 + (at % 4);
    return `enrolment-${at + 1},learner-${(at % LEARNERS) + 1}@acme.test,${course},${(at * 7) % 101},2024-03-${String(1 + (at % 28)).padStart(2, '0')}`;
  });
  writeFileSync(join(folder, 'history.csv'), ['id,email,course,percent,last_seen', ...lines, ''].join('\n'));
  const record = {
    external_record_id: 'id',
    'user.email': 'email',
    'content.platform_course_id': 'course',
    'progress.completion_pct': 'percent',
    'progress.last_activity_at': 'last_seen',
  };
  writeFileSync(join(folder, 'history.mapping.json'), JSON.stringify({ record }));
}
