import type * as wire from '../wire/types.ts';
import { type PathParameters, routeMethod, routePath } from '../wire/values.ts';
import { ServiceError } from '../wire/errors.ts';
import { wholeCourses } from './learner-courses.ts';
import { importAll, type ImportAllOptions, type ImportedAll } from './import-all.ts';
import { pages, whenEnded } from './polling.ts';
import { memoryTokenStore, Session, type TokenStore } from './session.ts';
import { fetchTransport, type HttpResponse, type RetryPolicy, type Transport, withRetries } from './transport.ts';

export interface ClientOptions {
  /** Base URL of the migration operations. */
  readonly baseUrl: string;
  /** Base URL of the authentication operations, if it differs. */
  readonly authBaseUrl?: string;
  readonly company_id: string;
  /** The store of the token pair; in memory by default. */
  readonly tokens?: TokenStore;
  /** How long to retry while the service is unreachable; 5 minutes by default. */
  readonly retry?: Partial<RetryPolicy>;
  readonly transport?: Transport;
  /** See `SessionOptions`. */
  readonly signInAgain?: () => Promise<void>;
  readonly now?: () => number;
}

const [DEFAULT_PATIENCE_MS, REQUEST_TIMEOUT_MS] = [5 * 60_000, 60_000];

interface Sent {
  readonly query?: object;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The migration operations (§4). Every call is retried while the error may pass, and renews tokens when they are due.
 *
 * @throws ServiceError, ServiceUnreachable, NotAuthenticated
 * @example
 * const page = { courses: [{ platform_course_id: 101, title: 'Fire safety' }], next_cursor: null };
 * const client = new MigrationClient({
 *   baseUrl: 'https://migration.example.com', company_id: 'acme',
 *   tokens: memoryTokenStore({ access_token: 'token' }),
 *   transport: async () => ({ status: 200, body: page, headers: new Headers() }), // in place of the network
 * });
 * await client.listCourses({ limit: 100 }); // => page
 * (await client.courses().next()).value; // => { platform_course_id: 101, title: 'Fire safety' }
 */
export class MigrationClient {
  readonly session: Session;
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #company: { readonly company_id: string };

  constructor(options: ClientOptions) {
    const { baseUrl, authBaseUrl = baseUrl, tokens = memoryTokenStore(), now = Date.now } = options;
    const { transport = fetchTransport(REQUEST_TIMEOUT_MS) } = options;
    this.#options = options;
    this.#transport = transport;
    this.#company = { company_id: options.company_id };
    this.session = new Session({ ...options, authBaseUrl: trimmed(authBaseUrl), transport, tokens, now });
  }

  profile = () => this.operation('get-profile', {});

  listCourses = (query: wire.PageQuery = {}) => this.operation('list-courses', this.#company, { query });

  /** Every course of the catalog, page by page. */
  courses = (): AsyncGenerator<wire.Course> => pages('courses', (cursor) => this.listCourses(cursor));

  /** At most 100 addresses. */
  resolveUsers = (emails: readonly string[]) => this.operation('resolve-users', this.#company, { body: { emails } });

  /** At most 500 entries. Registering the same entries again changes nothing. */
  registerUserMappings = (mappings: readonly wire.UserMappingEntry[]) =>
    this.operation('register-user-mappings', this.#company, { body: { mappings } });

  /** At most 500 entries. Registering the same entries again changes nothing. */
  registerCourseMappings = (mappings: readonly wire.CourseMappingEntry[]) =>
    this.operation('register-course-mappings', this.#company, { body: { mappings } });

  listUserMappings = (query: wire.PageQuery = {}) => this.operation('list-user-mappings', this.#company, { query });

  listCourseMappings = (query: wire.PageQuery = {}) => this.operation('list-course-mappings', this.#company, { query });

  /** Every registered user id, page by page. */
  userMappings = (): AsyncGenerator<wire.UserMapping> => pages('mappings', (cursor) => this.listUserMappings(cursor));

  /** Every registered course id, page by page. */
  courseMappings = (): AsyncGenerator<wire.CourseMapping> =>
    pages('mappings', (cursor) => this.listCourseMappings(cursor));

  /** At most 500 records. A key of your own makes repeats after a crash safe; the default, a random one, retries. */
  async startImport(
    body: { dry_run: boolean; replace?: boolean; archive?: boolean; run_id?: string; records: readonly unknown[] },
    idempotencyKey: string = crypto.randomUUID(),
  ): Promise<wire.StartedImport> {
    const sent = { body, headers: { 'idempotency-key': idempotencyKey } };
    const { body: started, headers, retryAfterSeconds } = await this.#call('start-import', this.#company, sent);
    return { import: started, replayed: headers.get('idempotent-replayed') === 'true', retryAfterSeconds };
  }

  /** Any number of records: cuts them into imports, sends these under keys of their content, and collects the results. */
  importAll(
    records: Iterable<wire.ImportRecord> | AsyncIterable<wire.ImportRecord>,
    options: ImportAllOptions = {},
  ): Promise<ImportedAll> {
    return importAll(this, records, options);
  }

  /** @throws ServiceError `import_not_found` */
  getImport = (import_id: string) => this.operation('get-import', { ...this.#company, import_id });

  /** Polls, no more often than the service allows, until the import has a terminal status. */
  waitForImport = (import_id: string, options: wire.WaitOptions<wire.Import> = {}) =>
    whenEnded(() => this.#call('get-import', { ...this.#company, import_id }), options);

  listImports = (query: wire.ImportQuery = {}) => this.operation('list-imports', this.#company, { query });

  /** Every import that fits, page by page. */
  imports = (query: Omit<wire.ImportQuery, 'cursor'> = {}): AsyncGenerator<wire.ImportSummary> =>
    pages('imports', (cursor) => this.listImports({ ...query, ...cursor }));

  /** No chunk of the import starts afterwards. Safe to repeat; an import that has ended stays as it is. */
  cancelImport = (import_id: string) => this.operation('cancel-import', { ...this.#company, import_id });

  /** Newest first. A page with a filter may be shorter than `limit` and still have a `next_cursor`. */
  listRuns = (query: wire.RunQuery = {}) => this.operation('list-runs', this.#company, { query });

  /** Every run that fits, newest first, page by page. */
  runs = (query: Omit<wire.RunQuery, 'cursor'> = {}): AsyncGenerator<wire.Run> =>
    pages('runs', (cursor) => this.listRuns({ ...query, ...cursor }));

  /** What is decided of a run, with status and counts of its real imports. @throws ServiceError `run_not_found` */
  getRun = (run_id: string, query: { readonly include?: 'document' } = {}) =>
    this.operation('get-run', { ...this.#company, run_id }, { query });

  /** §4.11. Members that are left out stay. @param version the stored one. @throws ServiceError `version_conflict` */
  saveRun(run_id: string, body: wire.RunRequest, version?: number): Promise<wire.Run> {
    const headers = version === undefined ? {} : { 'if-match': `"${version}"` };
    return this.operation('put-run', { ...this.#company, run_id }, { body, headers });
  }

  /** Removes a draft, and withdraws its plan. @throws ServiceError `run_not_found`, `plan_closed` */
  async deleteRun(run_id: string): Promise<void> {
    await this.operation('delete-run', { ...this.#company, run_id });
  }

  /** Closes dry runs of a run in its plan, in this order. @throws ServiceError `plan_incomplete`, `plan_closed` */
  planRun = (run_id: string, import_ids: readonly string[]) =>
    this.operation('make-plan', { ...this.#company, run_id }, { body: { import_ids } });

  /** The newest plan of a run. @throws ServiceError `run_not_found`, `plan_not_found` */
  getPlan = (run_id: string) => this.operation('get-plan', { ...this.#company, run_id });

  /** Every planned result of a run, page by page. @throws ServiceError `plan_not_found` */
  planRecords(run_id: string, query: Omit<wire.PlanRecordQuery, 'cursor'> = {}): AsyncGenerator<wire.RunListedResult> {
    const run = { ...this.#company, run_id };
    return pages('records', (cursor) => this.operation('list-plan-records', run, { query: { ...query, ...cursor } }));
  }

  /** Approves what was seen, by its digest. @throws ServiceError `plan_digest_differs`, `approval_by_another`, `plan_closed` */
  approvePlan = (run_id: string, body: wire.ApproveRequest) =>
    this.operation('approve-plan', { ...this.#company, run_id }, { body });

  /** Afterwards it can be neither approved nor applied. @throws ServiceError `plan_not_found`, `plan_closed` */
  async withdrawPlan(run_id: string): Promise<void> {
    await this.operation('delete-plan', { ...this.#company, run_id });
  }

  /** The service then goes on alone; `waitForRun` follows it. @throws ServiceError `plan_digest_differs`, `approval_required` */
  applyPlan = (run_id: string, plan_digest: string) =>
    this.operation('apply-plan', { ...this.#company, run_id }, { body: { plan_digest } });

  /** Polls until every import of the run has a terminal status. @throws ServiceError `run_not_found` */
  waitForRun = (run_id: string, options: wire.WaitOptions<wire.Run> = {}) =>
    whenEnded(() => this.#call('get-run', { ...this.#company, run_id }), options);

  /** Cancels every open import of a run. Safe to repeat. @throws ServiceError `run_not_found` */
  cancelRun = (run_id: string) => this.operation('cancel-run', { ...this.#company, run_id });

  /** Takes back the progress that an import wrote; with `dry_run` only reports it. @throws ServiceError `import_not_terminal` */
  revertImport = (import_id: string, body: { dry_run: boolean }) =>
    this.operation('revert-import', { ...this.#company, import_id }, { body });

  /** The revert of an import; if none was requested, a report of the changes that it would make. */
  getRevert = (import_id: string) => this.operation('get-revert', { ...this.#company, import_id });

  /** §4.10. @throws ServiceError `route_not_found` where the stack signs no evidence, `run_not_found`, `run_not_terminal` */
  signEvidence = (run_id: string, body: wire.EvidenceRequest) =>
    this.operation('sign-evidence', { ...this.#company, run_id }, { body });

  /** Every import of a run with its digests, in the order of acceptance, page by page. */
  evidence(run_id: string): AsyncGenerator<wire.EvidenceEntry> {
    const run = { ...this.#company, run_id };
    return pages('imports', (query): Promise<wire.EvidenceList> => this.operation('list-evidence', run, { query }));
  }

  /** The public keys of evidence. @throws ServiceError `route_not_found` where the stack signs none */
  evidenceKeys = () => this.operation('get-evidence-jwks', {});

  /** The same for every real import of a run, as one. @throws ServiceError `run_not_found`, `import_not_terminal` */
  revertRun = (run_id: string, body: { dry_run: boolean }) =>
    this.operation('revert-run', { ...this.#company, run_id }, { body });

  /** The same for a run. @throws ServiceError `run_not_found`, `import_not_terminal` */
  getRunRevert = (run_id: string, query: wire.DryRun = {}) =>
    this.operation('get-run-revert', { ...this.#company, run_id }, { query });

  /** Polls until the requested revert of a run, or its dry run, has ended. @throws ServiceError `run_not_found` */
  waitForRunRevert = (run_id: string, { dry_run, ...options }: wire.RevertWaitOptions = {}) =>
    whenEnded(() => this.#call('get-run-revert', { ...this.#company, run_id }, { query: { dry_run } }), options);

  listRecords = (import_id: string, query: wire.RecordQuery = {}) =>
    this.operation('list-import-records', { ...this.#company, import_id }, { query });

  /** Every record result of an import, page by page. */
  records = (import_id: string, query: Omit<wire.RecordQuery, 'cursor'> = {}): AsyncGenerator<wire.ListedResult> =>
    pages('records', (cursor) => this.listRecords(import_id, { ...query, ...cursor }));

  /** A page of the results of every real import of a run. @throws ServiceError `run_not_found` */
  listRunRecords = (run_id: string, query: wire.RecordQuery = {}) =>
    this.operation('list-run-records', { ...this.#company, run_id }, { query });

  /** Every record result of a run, page by page. @throws ServiceError `run_not_found` */
  runRecords = (run_id: string, query: Omit<wire.RecordQuery, 'cursor'> = {}): AsyncGenerator<wire.RunListedResult> =>
    pages('records', (cursor) => this.listRunRecords(run_id, { ...query, ...cursor }));

  /** Every record that the archive keeps, newest import first, page by page (§4.12). */
  archive = (query: Omit<wire.ArchiveQuery, 'cursor'> = {}): AsyncGenerator<wire.ArchivedRecord> =>
    pages('archived', (page) => this.operation('list-archive', this.#company, { query: { ...query, ...page } }));

  /** Everything stored under one record id. @throws ServiceError `record_not_found` */
  getRecord = (external_record_id: string) =>
    this.operation('get-record', this.#company, { query: { external_record_id } });

  /** A page of a learner's transcript: effective progress in each course, every record behind it, and what is archived. @throws ServiceError `learner_not_found` */
  getLearner = (name: wire.LearnerName, query: wire.PageQuery = {}) =>
    this.operation('get-learner', this.#company, { query: { ...name, ...query } });

  /** The courses of a learner, page by page; each is yielded once. @throws ServiceError `learner_not_found` */
  learnerCourses = (name: wire.LearnerName): AsyncGenerator<wire.LearnerCourse> =>
    wholeCourses(
      pages<'courses', wire.LearnerCourse>('courses', (cursor) => this.getLearner(name, { limit: 100, ...cursor })),
    );

  /** Calls an operation by its name in the OpenAPI document; those of most use have a method of their own. */
  async operation<Name extends keyof wire.Responses>(
    name: Name,
    parameters: PathParameters<Name>,
    sent?: Sent,
  ): Promise<wire.Responses[Name]> {
    return (await this.#call(name, parameters, sent)).body;
  }

  /** All operations are safe to repeat: reads, upserts, and imports under a key. */
  #call<Name extends keyof wire.Responses>(
    name: Name,
    parameters: PathParameters<Name>,
    { query = {}, ...sent }: Sent = {},
  ): Promise<HttpResponse<wire.Responses[Name]>> {
    const { baseUrl, authBaseUrl = baseUrl } = this.#options;
    const path = routePath(name, parameters);
    const base = trimmed(path.startsWith('/api/v1/auth/') ? authBaseUrl : baseUrl);
    const request = { ...sent, method: routeMethod(name), url: base + path + searchOf(query) };
    const send = async (token: string) => {
      const headers = { ...sent.headers, authorization: `Bearer ${token}` };
      const response = await this.#transport<wire.Responses[Name]>({ ...request, headers });
      this.session.noteTime(response.headers);
      return response;
    };
    return withRetries(
      async () => {
        const token = await this.session.accessToken();
        try {
          return await send(token);
        } catch (error) {
          if (!(error instanceof ServiceError && error.status === 401)) throw error;
          return send(await this.session.tokenAfterRefusal(token));
        }
      },
      { patienceMs: DEFAULT_PATIENCE_MS, ...this.#options.retry },
    );
  }
}

const trimmed = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

function searchOf(query: object): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  // A blank is always `%20`: API Gateway does not promise to read a plus sign as one.
  const search = new URLSearchParams(given).toString().replaceAll('+', '%20');
  return search === '' ? '' : `?${search}`;
}
