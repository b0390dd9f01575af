/** The platform's data in these suites: the sample company, another one like it, and one without migrations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const OWN = 'acme';
export const OTHER = 'globex';
export const DORMANT = 'dormant';
export const PASSWORD = 'changeme';
export const ADMIN = 'admin@acme.test';

/** Users that change after their login. */
export const CHANGING = {
  deactivated: 'deactivated@acme.test',
  deleted: 'deleted@acme.test',
  replaced: 'replaced@acme.test',
  demoted: 'demoted@acme.test',
  moved: 'moved@acme.test',
} as const;

interface Rows {
  readonly companies: Record<string, unknown>[];
  readonly users: {
    readonly id: number;
    readonly company_id: string;
    readonly email: string;
    readonly license: string;
  }[];
  readonly courses: {
    readonly company_id: string;
    readonly platform_course_id: number;
    readonly title: string;
    readonly has_exam: boolean;
    readonly classes: readonly { readonly platform_class_id: number }[];
  }[];
  readonly progress: Record<string, unknown>[];
}

export function platformData(): Rows {
  const sample = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../lib/sandbox/sample.json'), 'utf8'),
  ) as Rows;
  const company = (company_id: string, migrations_enabled: boolean) => ({
    company_id,
    name: company_id,
    migrations_enabled,
  });
  const user = (id: number, company_id: string, email: string, role = 'admin') => ({
    id,
    company_id,
    email,
    password: PASSWORD,
    name: email,
    role,
    avatar: 'https://example.com/a.png',
    license: 'active',
  });
  return {
    ...sample,
    companies: [...sample.companies, company(OTHER, true), company(DORMANT, false)],
    users: [
      ...sample.users,
      ...Object.values(CHANGING).map((email, position) => user(500 + position, OWN, email)),
      user(600, OTHER, 'admin@globex.test'),
      user(601, OTHER, 'learner@globex.test', 'customer'),
      user(700, DORMANT, 'admin@dormant.test'),
    ],
    courses: [
      ...sample.courses,
      { company_id: OTHER, platform_course_id: 101, title: 'Theirs', has_exam: true, classes: [] },
      { company_id: OTHER, platform_course_id: 900, title: 'Only theirs', has_exam: false, classes: [] },
    ],
  };
}
