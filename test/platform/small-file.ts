/** A small data file that may be loaded, its rows one by one, and the problems of any other. */
import { parseDataFile } from '../../functions/platform/data-file.ts';
import { createWorld } from '../kit/world.ts';

export const company = { company_id: 'acme', name: 'Acme', migrations_enabled: true };
export const user = {
  id: 7,
  company_id: 'acme',
  email: 'ana@acme.test',
  name: 'Ana',
  role: 'customer' as const,
  avatar: 'https://acme.test/a.png',
  license: 'active' as const,
};
export const course = {
  company_id: 'acme',
  platform_course_id: 101,
  title: 'One',
  has_exam: true,
  classes: [{ platform_class_id: 1, title: 'First' }],
};
export const row = { company_id: 'acme', email: 'ana@acme.test', platform_course_id: 101, completion_pct: 40 };
export const file = { companies: [company], users: [user], courses: [course], progress: [row] };

export function pathsOf(value: unknown): string[] {
  return parseDataFile(value).problems.map((problem) => problem.slice(0, problem.indexOf(':')));
}

/** A world that is killed after so many commands to the database. */
export function killableWorld() {
  let commands = Number.POSITIVE_INFINITY;
  const observe = () => {
    commands -= 1;
    if (commands < 0) throw new Error('killed');
  };
  return { ...createWorld({ observe }), killAfter: (count: number) => void (commands = count) };
}
