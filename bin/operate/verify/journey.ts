/** The checks with the account of an admin: production is only read; a sandbox takes the seven steps of the interface (§1). */
import { randomUUID } from 'node:crypto';
import { routePath } from '../../../functions/shared/routes.ts';
import { memoryTokenStore, MigrationClient, readClaims } from '../../importer/client/index.ts';
import { bearer, type Check, check, must, seenError } from './checks.ts';
import type { Deployment } from './deployment.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

const PATIENCE_MS = 60_000;
/** Few, because each stays as a contribution to that admin's progress. The first is rejected. */
const RECORDS = 4;
const NO_COURSE = Number.MAX_SAFE_INTEGER;

type Journey = Awaited<ReturnType<typeof loggedIn>>;

/** A sandbox's checks write progress of that admin in the first course; others only read. @throws ServiceError */
export async function logIn(deployment: Deployment, credentials: Credentials, patienceMs?: number) {
  const journey = await loggedIn(deployment, credentials, patienceMs);
  const { stage } = journey;
  return { stage, checks: [...readingChecks(journey), ...(stage === 'sandbox' ? sevenSteps(journey) : [])] };
}

/** @param patienceMs how long an import may take */
async function loggedIn(deployment: Deployment, credentials: Credentials, patienceMs = PATIENCE_MS) {
  const { baseUrl } = deployment;
  const tokens = memoryTokenStore();
  const retry = { patienceMs: 10_000 };
  const clientOf = (company_id: string) => new MigrationClient({ baseUrl, company_id, tokens, retry });
  await clientOf('').session.login(credentials);
  const token = (await tokens.read())?.access_token ?? '';
  const { company_id = '' } = readClaims(token);
  const { iss = '' } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const stage = String(iss).split(':').at(-1) ?? '';
  const client = clientOf(company_id);
  // The id of this run is part of every id that it makes.
  return { deployment, credentials, client, token, company_id, stage, run: randomUUID(), patienceMs };
}

function readingChecks({ deployment, client, token, credentials }: Journey): Check[] {
  return [
    check('The profile is the caller’s, without a password.', async () => {
      const { email, password, role } = await client.profile();
      must(email.toLowerCase() === credentials.email.toLowerCase(), `It is the profile of ${email}.`);
      must(/^\*+$/.test(password), 'The password is not masked.');
      return `${email}, ${role}`;
    }),
    check('The key that signed the token is published.', async () => {
      const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));
      const { body } = await deployment.send('GET', routePath('get-jwks', {}));
      must(JSON.stringify(body).includes(`"${kid}"`), `The JWK set lacks ${kid}.`);
      return String(kid);
    }),
    check('The catalog is listed.', async () => {
      const { courses } = await client.listCourses({ limit: 5 });
      return `${courses.length} courses on a page of 5`;
    }),
    check('The imports are listed, from an index of the table.', async () => {
      const { imports } = await client.listImports({ limit: 5 });
      return `${imports.length} imports on a page of 5`;
    }),
    check('Another company is forbidden.', async () => {
      const other = routePath('list-courses', { company_id: 'verify-other' });
      return seenError(await deployment.send('GET', other, bearer(token)), 'forbidden');
    }),
  ];
}

function sevenSteps(journey: Journey): Check[] {
  const { client, credentials, run } = journey;
  const { email } = credentials;
  let platform_course_id = -1;
  let import_id = '';
  const record = (index: number, course = platform_course_id) => ({
    external_record_id: `verify ${run}+${index}`,
    user: { external_user_id: 'verify' },
    content: { type: 'course', platform_course_id: course },
    progress: { completion_pct: 1 },
  });
  const batch = () => Array.from({ length: RECORDS }, (_, index) => record(index, index === 0 ? NO_COURSE : undefined));
  return [
    check('Step 1: a course of the catalog.', async () => {
      const [course] = (await client.listCourses({ limit: 1 })).courses;
      must(course !== undefined, 'The catalog is empty.');
      platform_course_id = course.platform_course_id;
      return `course ${platform_course_id}`;
    }),
    check('Step 2: the users resolve.', async () => {
      const { counts } = await client.resolveUsers([email, 'nobody@verify.invalid']);
      must(counts.active === 1 && counts.not_found === 1, `The counts are ${JSON.stringify(counts)}.`);
      return '1 active, 1 not found';
    }),
    check('Step 3: ids of the previous system are registered.', async () => {
      const users = await client.registerUserMappings([{ external_user_id: 'verify', email }]);
      const courses = await client.registerCourseMappings([{ external_course_id: 'verify', platform_course_id }]);
      must(users.counts.failed + courses.counts.failed === 0, 'A mapping was rejected.');
      return `${users.mappings[0]?.status}, ${courses.mappings[0]?.status}`;
    }),
    check('Step 4: a dry run reports, and writes nothing.', async () => {
      const { import: report } = await client.startImport({ dry_run: true, records: batch() });
      const { status, counts } = report;
      must(status === 'validated' && counts.failed === 1, `It ended ${status}, and ${counts.failed} would fail.`);
      return `${counts.succeeded} would succeed, ${counts.failed} would fail`;
    }),
    check('Step 5: the import is accepted once for one key.', async () => {
      const body = { dry_run: false, records: batch() };
      const first = await client.startImport(body, `verify-${run}`);
      const second = await client.startImport(body, `verify-${run}`);
      import_id = first.import.import_id;
      must(second.replayed && second.import.import_id === import_id, 'The second call made another import.');
      return import_id;
    }),
    check('Step 6: it is processed.', () => ended(journey, import_id)),
    check('Step 7: what was rejected is listed.', async () => {
      const { records } = await client.listRecords(import_id, { status: 'error' });
      const [code] = records.flatMap(({ errors }) => errors.map(({ error_code }) => error_code));
      must(records.length === 1 && code === 'course_not_in_catalog', `${records.length} records, first ${code}.`);
      return code;
    }),
    check('A record is found by an id with a blank and a plus, as that import alone wrote it.', () =>
      found(journey, record(1).external_record_id, import_id),
    ),
    check('A body that is too large is refused.', () => refusesLargeBodies(journey)),
  ];
}

async function ended({ client, patienceMs }: Journey, import_id: string): Promise<string> {
  must(import_id !== '', 'There is no import: see step 5.');
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  const { status, counts } = await client.waitForImport(import_id, {
    onProgress: (open) =>
      must(
        open.status !== 'processing' || Date.now() - started < patienceMs,
        `It is still processing after ${seconds()}, ${open.counts.processed} of ${open.counts.total} records. Is the event source of process-chunk enabled?`,
      ),
  });
  must(
    status === 'partial_success' && counts.succeeded === RECORDS - 1,
    `It ended ${status}, ${counts.succeeded} applied.`,
  );
  return `${counts.succeeded} applied, ${counts.failed} rejected, after ${seconds()}`;
}

async function found({ client }: Journey, external_record_id: string, import_id: string): Promise<string> {
  const { contributions } = await client.getRecord(external_record_id);
  const imports = contributions.map((each) => each.import_id);
  must(
    imports.length === 1 && imports[0] === import_id,
    `Its contributions are of ${imports.join(', ') || 'no import'}, not of ${import_id} alone. Did the dry run write?`,
  );
  return '1 contribution';
}

/** The bodies exceed the limit of the service, of Lambda and of the gateway. */
async function refusesLargeBodies({ deployment, token, company_id }: Journey): Promise<string> {
  const seen: string[] = [];
  for (const megabytes of [5, 7, 11]) {
    const body = JSON.stringify({ dry_run: true, records: ['x'.repeat(megabytes * 1_000_000)] });
    const sent = deployment.send('POST', routePath('start-import', { company_id }), { ...bearer(token), body });
    // A server may close the connection before it has read all.
    const status = await sent.then((reply) => reply.status).catch(() => 'closed');
    must(status === 413 || status === 'closed', `${megabytes} MB: the status is ${status}, not 413.`);
    seen.push(`${megabytes} MB ${status}`);
  }
  return seen.join(', ');
}
