/** Whom the records of a load name: people and courses of a company of its own, which the intake makes. */
import { randomUUID } from 'node:crypto';
import type { Operator } from '../verify/deep.ts';
import { must } from '../verify/checks.ts';
import type { Credentials } from '../verify/journey.ts';

export const COMPANY = 'load';
const LEARNERS = 1000;
const COURSES = 100;
/** The intake takes as many facts in one message. */
const FACTS = 100;

export interface Targets {
  readonly emails: readonly string[];
  readonly courses: readonly number[];
}

export interface LoadCompany extends Targets {
  readonly admin: Credentials;
  /** Closes the company: its people and courses stay, for the next load. */
  readonly close: () => Promise<void>;
}

/** Makes the company, or opens it again. @throws Error if the intake rejects a fact */
export async function loadCompany(operator: Operator, learners = LEARNERS): Promise<LoadCompany> {
  const version = Date.now();
  const admin = { email: 'admin@load.invalid', password: randomUUID() };
  const emails = Array.from({ length: learners }, (_, at) => `learner-${at}@load.invalid`);
  const courses = Array.from({ length: COURSES }, (_, at) => at + 1);
  const fact = (kind: string, members: object) => ({ kind, version, company_id: COMPANY, ...members });
  const user = (id: number, email: string, role: string, more: object = {}) =>
    fact('user', { id, email, name: email, role, avatar: '', license: 'active', ...more });
  const company = (migrations_enabled: boolean, later = 0) => ({
    ...fact('company', { name: 'Load', migrations_enabled }),
    version: version + later,
  });
  const facts = [
    company(true),
    user(1, admin.email, 'admin', { password: admin.password }),
    ...courses.map((platform_course_id) =>
      fact('course', { platform_course_id, title: `Load ${platform_course_id}`, has_exam: false, classes: [] }),
    ),
    ...emails.map((email, at) => user(at + 2, email, 'customer')),
  ];
  const inform = async (part: readonly object[]) => {
    const results = await operator.inform(part);
    must(!results.some(({ status }) => status === 'rejected'), 'The intake rejects facts of the load.');
  };
  for (let at = 0; at < facts.length; at += FACTS) await inform(facts.slice(at, at + FACTS));
  return { admin, emails, courses, close: () => inform([company(false, 1)]) };
}
