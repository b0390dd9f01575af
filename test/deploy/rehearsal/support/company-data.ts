/** The platform's data of one small company, its admin, and an import of one record. */
import type { Send } from '../../../kit/http-client.ts';
import { userIn } from '../../../kit/test-data.ts';

export const adminOf = (company_id: string) => [`admin@${company_id}.test`, `password of ${company_id}`] as const;

export const recordOf = (company_id: string, external_record_id: string) => ({
  external_record_id,
  user: { email: `learner@${company_id}.test` },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 40 },
});

/** Sends an import of the record, with the record's id as its key. */
export function importOf(send: Send, token: string, company_id: string, record: ReturnType<typeof recordOf>) {
  const headers = { 'idempotency-key': record.external_record_id };
  const body = { dry_run: false, records: [record] };
  return send('POST', `/v1/migrations/${company_id}/progress/imports`, { token, headers, body });
}

export function companyData(company_id: string) {
  return {
    companies: [{ company_id, name: company_id, migrations_enabled: true }],
    users: [
      userIn(company_id, 1, 'admin', { role: 'admin', password: adminOf(company_id)[1] }),
      userIn(company_id, 2, 'learner'),
    ],
    courses: [
      {
        company_id,
        platform_course_id: 101,
        title: 'Course',
        has_exam: false,
        classes: [1, 2, 3, 4].map((platform_class_id) => ({ platform_class_id, title: `Class ${platform_class_id}` })),
      },
    ],
  };
}
