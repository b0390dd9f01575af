import { readFileSync } from 'node:fs';

interface SampleData {
  readonly users: readonly { company_id: string; email: string; password?: string; role: string; license: string }[];
  readonly courses: readonly {
    company_id: string;
    platform_course_id: number;
    classes: readonly { platform_class_id: number }[];
  }[];
}

/** A first try: the sample's administrator, and three shell lines that import three records and show their results. */
export function sampleLines(file: string, url: string): string[] {
  const { users, courses } = JSON.parse(readFileSync(file, 'utf8')) as SampleData;
  const admin = users.find(({ role, password }) => role === 'admin' && password !== undefined);
  if (admin === undefined) return [];
  const learners = users.filter(
    (user) => user.company_id === admin.company_id && user !== admin && user.license === 'active',
  );
  const course = courses.find(({ company_id, classes }) => company_id === admin.company_id && classes.length > 0);
  const [first, second, third] = learners;
  if (!first || !second || !third || !course) return [];
  const content = { type: 'course', platform_course_id: course.platform_course_id };
  const classes = course.classes.slice(0, 2).map(({ platform_class_id }) => ({ platform_class_id }));
  const records = [
    { external_record_id: 'sample-1', user: { email: first.email }, content, progress: { completion_pct: 40 } },
    { external_record_id: 'sample-2', user: { email: second.email }, content, progress: { classes } },
    { external_record_id: 'sample-3', user: { email: third.email }, content, progress: { completion_pct: 100 } },
  ];
  const login = JSON.stringify({ email: admin.email, password: admin.password });
  const imports = `${url}/v1/migrations/${admin.company_id}/progress/imports`;
  const json = `-H 'content-type: application/json'`;
  const bearer = `-H "authorization: Bearer $TOKEN"`;
  return [
    `sample company ${admin.company_id}, administrator ${admin.email}, password ${admin.password}; try it at ${url}/docs, or paste these three lines:`,
    `TOKEN=$(curl -s ${url}/api/v1/auth/login ${json} -d '${login}' | ${member('access_token')})`,
    `IMPORT=$(curl -s ${imports} ${bearer} ${json} -d '${JSON.stringify({ dry_run: false, records })}' | ${member('import_id')})`,
    `until curl -s "${imports}/$IMPORT/records" ${bearer} | grep -v '"status":"processing"'; do sleep 1; done`,
  ];
}

const member = (name: string): string => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;
