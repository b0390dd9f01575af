/** The seven steps with the TypeScript client of openapi-generator, as a user of it would write them. */
import {
  AuthenticationApi,
  CatalogAndUsersApi,
  Configuration,
  type Import,
  type MigrationRecord,
  ProgressImportsApi,
  type Revert,
  type RecordContent,
  type RecordProgress,
  type RecordUser,
} from './index';

const [basePath = '', idempotencyKey = ''] = process.argv.slice(2);
const companyId = 'acme';
/** 2^53 - 1, the largest id that every JSON parser keeps. */
const LARGEST = Number.MAX_SAFE_INTEGER;

const credentials = { email: 'admin@acme.test', password: 'changeme' };
const tokens = await new AuthenticationApi(new Configuration({ basePath })).login({ credentials });
const configuration = new Configuration({ basePath, accessToken: tokens.accessToken });
const reference = new CatalogAndUsersApi(configuration);
const imports = new ProgressImportsApi(configuration);

const { courses } = await reference.listCourses({ companyId });
const emails = ['ben.castillo@acme.test', 'ivan.petrov@acme.test', 'nobody@acme.test'];
const { users } = await reference.resolveUsers({ companyId, resolveRequest: { emails } });
const { mappings } = await reference.registerUserMappings({
  companyId,
  userMappingRequest: {
    mappings: [
      { externalUserId: 9101, email: 'ben.castillo@acme.test' },
      { externalUserId: LARGEST, email: 'chiara.romano@acme.test' },
    ],
  },
});
await reference.registerCourseMappings({
  companyId,
  courseMappingRequest: { mappings: [{ externalCourseId: 'SEC-1', platformCourseId: 101 }] },
});

const course = (platformCourseId: number): RecordContent => ({ type: 'course', platformCourseId });
const record = (
  externalRecordId: string,
  user: RecordUser,
  content: RecordContent,
  progress?: RecordProgress,
): MigrationRecord => ({ externalRecordId, user, content, ...(progress && { progress }) });

const BEN = { email: 'ben.castillo@acme.test' };
const HALF = { completionPct: 50 };
// The type of the client has no such value.
const VIDEO = { type: 'video', platformCourseId: 101 } as unknown as RecordContent;
const wrong = [
  record('invalid_record', { email: 'no address' }, course(101), HALF),
  record('duplicate_external_record_id', BEN, course(101), HALF),
  record('duplicate_external_record_id', BEN, course(102), HALF),
  record('user_not_found', { email: 'nobody@acme.test' }, course(101), HALF),
  record('user_inactive', { email: 'ivan.petrov@acme.test' }, course(101), HALF),
  record('unsupported_content_type', BEN, VIDEO, HALF),
  record('course_not_in_catalog', BEN, course(999), HALF),
  record('external_user_id_not_mapped', { externalUserId: 'unknown' }, course(101), HALF),
  record('external_course_id_not_mapped', BEN, { type: 'course', externalCourseId: 'unknown' }, HALF),
  record('identifier_mismatch', { ...BEN, externalUserId: LARGEST }, course(101), HALF),
  record('invalid_completion_pct', BEN, course(101), { completionPct: 101 }),
  record('invalid_date_format', BEN, course(101), { ...HALF, startedAt: '2024-02-30' }),
  record('missing_progress', BEN, course(101)),
];
const good = [
  record('number', { externalUserId: 9101 }, { type: 'course', externalCourseId: 'SEC-1' }, { completionPct: 66.67 }),
  record('text', { externalUserId: '9101' }, course(102), HALF),
  record('largest', { externalUserId: LARGEST }, course(LARGEST), {
    classes: [{ platformClassId: LARGEST - 1, viewedAt: '2024-03-01' }],
  }),
];

const dryRun = await imports.startImport({ companyId, importRequest: { dryRun: true, records: wrong } });
const { importId } = await imports.startImport({
  companyId,
  idempotencyKey,
  importRequest: { dryRun: false, records: good },
});
let ended: Import = await imports.getImport({ companyId, importId });
while (ended.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 100));
  ended = await imports.getImport({ companyId, importId });
}
const { records: listed } = await imports.listImportRecords({ companyId, importId, include: 'record' });
const { records: rejected } = await imports.listImportRecords({
  companyId,
  importId: dryRun.importId,
  status: 'error',
});

const dryRevert = { companyId, importId, revertRequest: { dryRun: true } };
const plan = await imports.revertImport(dryRevert);
let reverted: Revert = await imports.revertImport({ ...dryRevert, revertRequest: { dryRun: false } });
while (reverted.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, 100));
  reverted = await imports.getRevert({ companyId, importId });
}

console.log(
  JSON.stringify({
    courses: courses.map((each) => each.platformCourseId),
    resolved: users.map((each) => each.status),
    mapped: mappings.map((each) => each.externalUserId),
    dry_run: dryRun.status,
    errors: dryRun.records.map((each) => [each.externalRecordId, each.errors.map((error) => error.errorCode)]),
    status: ended.status,
    applied: ended.records.map((each) => [each.progress?.platformCourseId, each.progress?.completionPct]),
    sent: listed.map((each) => each.record.user.external_user_id),
    class_id: listed[2]?.record.progress.classes[0].platform_class_id,
    rejected: rejected.map((each) => each.externalRecordId),
    plan: [plan.status, plan.records.map((each) => each.outcome)],
    reverted: [reverted.status, reverted.records.map((each) => each.outcome)],
  }),
);
