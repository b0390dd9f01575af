/** Mistaken requests to every operation, and mistaken records: what is sent, and what the error must name. */
import { gzipSync } from 'node:zlib';
import { ROUTES, routePath } from '../../functions/shared/routes.ts';
import type { Sending } from '../kit/http-client.ts';

export interface Probe {
  readonly method: string;
  readonly path: string;
  readonly sending?: Sending;
  readonly status: number;
  readonly field?: string | undefined;
  /** Texts of the message: the fault, as it was sent, and what to do. */
  readonly says: readonly string[];
}

const BASE = '/v1/migrations/requests';
export interface Known {
  readonly import_id: string;
  readonly run_id: string;
}

const LONG = 'x'.repeat(70);
/** As a message quotes it: cut at 64 characters. */
const CUT = `"${'x'.repeat(64)}…"`;

const pathsOf = ({ import_id, run_id }: Known) =>
  Map.groupBy(
    ROUTES.map(({ method, path }) => ({
      method,
      path: path.replace('{company_id}', 'requests').replace('{import_id}', import_id).replace('{run_id}', run_id),
    })),
    ({ path }) => path,
  );

/** Another method, an unknown parameter, and an unknown member: of each path. */
function ofEachPath(known: Known): Probe[] {
  return [...pathsOf(known)].flatMap(([path, routes]) => {
    const methods = routes.map(({ method }) => method).toSorted();
    return [
      {
        method: methods.includes('DELETE') ? 'PATCH' : 'DELETE',
        path,
        status: 405,
        says: [`${methods.join(' and ')} only`],
      },
      // The errors of a token request are those of RFC 6749.
      ...(path === routePath('get-token', {}) ? [] : methods).map((method) => ({
        method,
        path: `${path}?${LONG}=1`,
        ...(method === 'POST' && { sending: { body: {} } }),
        status: 400,
        field: LONG.slice(0, 64),
        says: [CUT, 'is no query parameter'],
      })),
    ];
  });
}

type BodyCase = readonly [path: string, body: unknown, field: string | undefined, ...says: string[]];

const post = ([path, body, field, ...says]: BodyCase): Probe => ({
  method: 'POST',
  path: path.startsWith('/api') ? path : BASE + path,
  sending: { body },
  status: 400,
  field,
  says,
});

const LOGIN = '/api/v1/auth/login';
const REFRESH = '/api/v1/auth/refresh-token';
const IMPORTS = '/progress/imports';

/** Bodies: each member misspelt, and of a wrong type. */
const bodiesOf = ({ import_id, run_id }: Known): Probe[] => {
  const [REVERT, EVIDENCE] = [`${IMPORTS}/${import_id}/revert`, `/progress/runs/${run_id}/evidence`];
  const cases: BodyCase[] = [
    [LOGIN, { email: 'a@b', passwort: 'x' }, 'password', 'required'],
    [LOGIN, { Email: 'a@b', password: 'x' }, 'email', 'required'],
    [LOGIN, { email: 7, password: 'x' }, 'email', '7', 'string'],
    [REFRESH, { refresh_token: 'x' }, 'refreshToken', 'required'],
    [REFRESH, { refreshToken: ['x'] }, 'refreshToken', 'string'],
    ['/users/resolve', { email: ['a@b'] }, 'emails', 'required'],
    ['/users/mappings', { mapping: [] }, 'mappings', 'required'],
    ['/catalog/mappings', { mappings: [] }, 'mappings', '0', '1 to 500'],
    [IMPORTS, { dryRun: true, records: [{}] }, 'dry_run', 'required'],
    [IMPORTS, { dry_run: true, records: [] }, 'records', '0', '1 to 500'],
    [IMPORTS, { dry_run: true, runId: 'R', records: [{}] }, 'runId', 'Did you mean run_id?'],
    [IMPORTS, { dry_run: true, run_id: 5, records: [{}] }, 'run_id', '5', '128'],
    [IMPORTS, { dry_run: true, replace: 'no', records: [{}] }, 'replace', '"no"', 'true or false'],
    [IMPORTS, { dry_run: true, replaces: true, records: [{}] }, 'replaces', 'Did you mean replace?'],
    [`${IMPORTS}/${import_id}/cancel`, { force: true }, 'force', '"force"'],
    [`/progress/runs/${run_id}/cancel`, { dry_run: true }, 'dry_run', '"dry_run"'],
    [REVERT, {}, 'dry_run', 'required'],
    [REVERT, { dry_run: LONG }, 'dry_run', CUT],
    [`/progress/runs/${run_id}/revert`, { dry_run: 1 }, 'dry_run', '1', 'true or false'],
    [EVIDENCE, { reasons: 'x' }, 'reason', 'required'],
    [EVIDENCE, { reason: '' }, 'reason', '1 to 1000'],
    [EVIDENCE, { reason: 'x'.repeat(1001) }, 'reason', '1 to 1000', CUT],
    [EVIDENCE, { reason: 'x', statement: [1] }, 'statement', 'object'],
    [EVIDENCE, { reason: 'x', statement: { a: 'x'.repeat(17_000) } }, 'statement', '16384 bytes', 'not 17008'],
  ];
  return cases.map(post);
};

const queriesOf = ({ import_id, run_id }: Known): Probe[] =>
  (
    [
      ['/catalog/courses?limit=0', 'limit', '"0"', '1 to 500'],
      ['/users/mappings?limit=abc', 'limit', '"abc"', '1 to 500'],
      ['/catalog/mappings?limit=501', 'limit', '"501"', '1 to 500'],
      [`${IMPORTS}?limit=1.5`, 'limit', '"1.5"', '1 to 100'],
      [`${IMPORTS}?status=done`, 'status', '"done"', 'partial_success'],
      [`${IMPORTS}?statuss=error`, 'statuss', 'Did you mean status?'],
      [`${IMPORTS}?created_since=01/02/2024`, 'created_since', '"01/02/2024"', 'such as 2024-03-01'],
      [`${IMPORTS}?created_before=2023-02-29`, 'created_before', '"2023-02-29"', 'that exists'],
      [`${IMPORTS}?cursor=abc`, 'cursor', 'cursor'],
      [`${IMPORTS}/${import_id}/records?status=failed`, 'status', '"failed"', 'error'],
      [`${IMPORTS}/${import_id}/records?include=records`, 'include', '"records"', 'record'],
      [`${IMPORTS}/${import_id}/revert?dry_run=yes`, 'dry_run', '"yes"', 'true'],
      [`/progress/runs/${run_id}/records?limit=${LONG}`, 'limit', CUT, '1 to 500'],
      [`/progress/runs/${run_id}/evidence?limit=-1`, 'limit', '"-1"', '1 to 100'],
      ['/progress/records', 'external_record_id', 'required'],
      [`/progress/records?external_record_id=${'x'.repeat(129)}`, 'external_record_id', '128', `${'x'.repeat(64)}…`],
      ['/progress/learners', undefined, 'email', 'user_id', 'external_user_id'],
      ['/progress/learners?email=a@b.de&user_id=7', 'email', 'Exactly one of email, user_id'],
      ['/progress/learners?limit=1&limit=2', 'limit', 'sent once'],
      ['/progress/learners?user_id=seven', 'user_id', '"seven"', 'whole number'],
      ['/progress/learners?email=nobody', 'email', '"nobody"'],
    ] as const
  ).map(([path, field, ...says]) => ({ method: 'GET', path: BASE + path, status: 400, field, says }));

const RECORD = {
  external_record_id: 'probe',
  user: { email: 'learner-1@requests.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
};
const json = { 'content-type': 'application/json' };
const many = (count: number, member: string) =>
  Object.fromEntries([[member, Array.from({ length: count }, () => 'x')]]);

/** Bodies as bytes, encodings, sizes, keys, tokens and ids. */
const requestsOf = (): Probe[] => {
  const zipped = gzipSync(JSON.stringify({ dry_run: true, records: [RECORD] }));
  const imports = (
    body: Sending['body'],
    headers: Record<string, string>,
    status: number,
    ...says: string[]
  ): Probe => ({
    method: 'POST',
    path: BASE + IMPORTS,
    sending: { body, headers: { ...json, ...headers } },
    status,
    says,
  });
  return [
    imports(
      zipped.subarray(0, -12),
      { 'content-encoding': 'gzip' },
      400,
      'cannot be unpacked',
      'Content-Encoding must be gzip or deflate',
    ),
    imports(zipped, { 'content-encoding': 'br' }, 400, '"br"', 'gzip or deflate'),
    imports('{"dry_run":true,', {}, 400, 'JSON', 'ends too early'),
    imports('{"dry_run":true;}', {}, 400, 'JSON', 'character 16'),
    imports('{"dry_run":True}', {}, 400, 'one of its values', 'true, false or null'),
    imports('position 3', {}, 400, 'one of its values'),
    imports('', {}, 400, 'empty'),
    imports('[1]', {}, 400, 'array', 'object'),
    imports('{}', { 'content-type': 'text/csv' }, 400, '"text/csv"', 'application/json'),
    ...(
      [
        ['k'.repeat(256), `"${'k'.repeat(64)}…"`],
        ['a b', '"a b"'],
      ] as const
    ).map(([key, cut]) => ({
      ...imports({ dry_run: true, records: [RECORD] }, { 'idempotency-key': key }, 400, '1 to 255 visible ASCII', cut),
      field: 'Idempotency-Key',
    })),
    { ...imports({ dry_run: true, ...many(501, 'records') }, {}, 413, '501', '500'), field: 'records' },
    { ...post(['/users/resolve', many(101, 'emails'), 'emails', '101', '100']), status: 413 },
    { ...post(['/users/mappings', many(501, 'mappings'), 'mappings', '501', '500']), status: 413 },
    { ...post(['/catalog/mappings', many(502, 'mappings'), 'mappings', '502', '500']), status: 413 },
    { ...post([LOGIN, { email: 'x'.repeat(17_000), password: 'x' }, undefined, '16 KiB']), status: 413 },
    {
      method: 'GET',
      path: `${BASE}/catalog/courses`,
      sending: { headers: { authorization: 'Basic YTpi' } },
      status: 400,
      says: ['Bearer'],
    },
    {
      method: 'GET',
      path: '/v1/migrations/re%20quests/catalog/courses',
      status: 403,
      says: ['"re quests"', '1 to 64'],
    },
    { method: 'GET', path: `${BASE}${IMPORTS}/nothing`, status: 404, says: ['nothing'] },
    { method: 'GET', path: `${BASE}/progress/runs/nothing`, status: 404, says: ['nothing'] },
    {
      method: 'GET',
      path: `${BASE}/progress/records?external_record_id=nothing`,
      status: 404,
      field: 'external_record_id',
      says: ['nothing'],
    },
    {
      method: 'GET',
      path: `${BASE}/progress/learners?email=nobody@nowhere.test`,
      status: 404,
      says: ['nobody@nowhere.test'],
    },
    { method: 'GET', path: `${BASE}/catalog/course`, status: 404, says: ['no such path'] },
    { method: 'GET', path: `${BASE}/progress/runs/${'r'.repeat(129)}`, status: 404, says: [`${'r'.repeat(64)}…`] },
  ];
};

export const probesOf = (known: Known): Probe[] => [
  ...ofEachPath(known),
  ...bodiesOf(known),
  ...queriesOf(known),
  ...requestsOf(),
];

const course = (members: object) => ({ content: { type: 'course', ...members } });
const progress = (members: object) => ({ progress: { completion_pct: 50, ...members } });
const assessment = (members: object) => ({ assessment: { status: 'passed', ...members } });

/** Wrong values of a record: its error as `code field`, and what the message says. */
export const RECORDS: readonly (readonly [change: object, error: string, ...says: string[]])[] = [
  [{ external_record_id: 1.5 }, 'invalid_record external_record_id', '1.5'],
  [{ user: 'ann' }, 'invalid_record user', '"ann"', 'object'],
  [{ user: { email: LONG } }, 'invalid_record user.email', CUT],
  [{ user: { email: 'nobody@nowhere.test' } }, 'user_not_found user.email', '"nobody@nowhere.test"'],
  [{ user: { external_user_id: 'E-1' } }, 'external_user_id_not_mapped user.external_user_id', '"E-1"', 'register'],
  [course({ ...RECORD.content, type: 'Course' }), 'unsupported_content_type content.type', '"Course"', 'course'],
  [course({ platform_course_id: '101' }), 'invalid_record content.platform_course_id', '"101"', 'whole number'],
  [course({ platform_course_id: 999 }), 'course_not_in_catalog content.platform_course_id', '999', 'catalog'],
  [
    course({ external_course_id: 'C-1' }),
    'external_course_id_not_mapped content.external_course_id',
    '"C-1"',
    'register',
  ],
  [course({ ...RECORD.content, external_ref: { a: 1 } }), 'invalid_record content.external_ref', 'not an object'],
  [progress({ completion_pct: 101 }), 'invalid_completion_pct progress.completion_pct', '101', '0 to 100'],
  [progress({ completion_pct: -1 }), 'invalid_completion_pct progress.completion_pct', '-1', '0 to 100'],
  [progress({ completion_pct: '50 %' }), 'invalid_record progress.completion_pct', '"50 %"', 'number'],
  [progress({ completion_pct: 'done' }), 'invalid_record progress.completion_pct', '"done"', 'number'],
  [{ progress: {} }, 'invalid_record progress.completion_pct', 'required'],
  [{ progress: undefined }, 'missing_progress progress', 'progress'],
  [{ progress: 5 }, 'invalid_record progress', 'not 5'],
  [{ progress: { completionPct: 50 } }, 'invalid_record progress.completion_pct', 'completionPct'],
  ...['started_at', 'last_activity_at', 'completed_at'].map(
    (at) =>
      [progress({ [at]: '01/02/2024' }), `invalid_date_format progress.${at}`, '"01/02/2024"', 'such as'] as const,
  ),
  [progress({ started_at: '2023-02-29' }), 'invalid_date_format progress.started_at', '"2023-02-29"', 'that exists'],
  [progress({ started_at: '2024-05' }), 'invalid_date_format progress.started_at', '"2024-05"', 'such as'],
  [progress({ started_at: LONG }), 'invalid_date_format progress.started_at', CUT],
  [progress({ started_at: 1_700_000_000 }), 'invalid_record progress.started_at', '1700000000', 'date'],
  [
    { progress: { classes: [{ platform_class_id: 'x' }] } },
    'invalid_record progress.classes.0.platform_class_id',
    '"x"',
    'whole number',
  ],
  [{ progress: { classes: {} } }, 'invalid_record progress.classes', 'array'],
  [assessment({ status: 'PASS' }), 'invalid_record assessment.status', '"PASS"', 'passed'],
  [assessment({ score_pct: 140 }), 'invalid_record assessment.score_pct', '140', '0 to 100'],
  [assessment({ taken_at: 'yesterday' }), 'invalid_date_format assessment.taken_at', '"yesterday"'],
];
export const recordOf = (change: object, at: number) => ({ ...RECORD, external_record_id: `probe-${at}`, ...change });
