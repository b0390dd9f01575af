/** The platform's data of one small company. */
export function companyData(company_id: string) {
  const user = (id: number, name: string, more: object = {}) => ({
    id,
    company_id,
    email: `${name}@${company_id}.test`,
    name,
    role: 'customer',
    avatar: 'https://example.com/a.png',
    license: 'active',
    ...more,
  });
  return {
    companies: [{ company_id, name: company_id, migrations_enabled: true }],
    users: [user(1, 'admin', { role: 'admin', password: `password of ${company_id}` }), user(2, 'learner')],
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
