import { type PathParameters, type RouteName, routePath } from '../../functions/shared/routes.ts';
import { ServiceError } from './errors.ts';
import { importAll, type ImportAllOptions, type ImportedAll } from './import-all.ts';
import { pages } from './pages.ts';
import { whenEnded } from './poll.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import { memoryTokenStore, Session, type TokenStore } from './session.ts';
import { fetchTransport, type HttpResponse, type Transport } from './transport.ts';
import type * as wire from './types.ts';

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
  readonly now?: () => number;
}

const DEFAULT_PATIENCE_MS = 5 * 60 * 1000;
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * A client of the migration operations (§4). Every call is retried while the error may pass, and renews the tokens when they
 * are due.
 *
 * @throws ServiceError, ServiceUnreachable, NotAuthenticated
 * @example
 * const page = { courses: [{ platform_course_id: 101, title: 'Fire safety' }], next_cursor: null };
 * const client = new MigrationClient({
 *   baseUrl: 'https://migration.example.com',
 *   company_id: 'acme',
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
    this.#options = options;
    this.#transport = options.transport ?? fetchTransport(REQUEST_TIMEOUT_MS);
    this.#company = { company_id: options.company_id };
    this.session = new Session({ authBaseUrl: trimmed(authBaseUrl), transport: this.#transport, tokens, now });
  }

  async profile(): Promise<wire.UserProfile> {
    const { baseUrl, authBaseUrl = baseUrl } = this.#options;
    return (await this.#call<wire.UserProfile>('GET', trimmed(authBaseUrl) + routePath('get-profile', {}))).body;
  }

  async listCourses(query: wire.PageQuery = {}): Promise<wire.CourseList> {
    return (await this.#get<wire.CourseList>(this.#url('list-courses', this.#company), query)).body;
  }

  /** Every course of the catalog, page by page. */
  courses(): AsyncGenerator<wire.Course> {
    return pages(
      (cursor) => this.listCourses(cursor),
      ({ courses }) => courses,
    );
  }

  /** At most 100 addresses. */
  async resolveUsers(emails: readonly string[]): Promise<wire.ResolveReport> {
    return (await this.#post<wire.ResolveReport>(this.#url('resolve-users', this.#company), { emails })).body;
  }

  /** At most 500 entries. Registering the same entries again changes nothing. */
  async registerUserMappings(mappings: readonly wire.UserMappingEntry[]): Promise<wire.UserMappingReport> {
    return (await this.#post<wire.UserMappingReport>(this.#url('register-user-mappings', this.#company), { mappings }))
      .body;
  }

  /** At most 500 entries. Registering the same entries again changes nothing. */
  async registerCourseMappings(mappings: readonly wire.CourseMappingEntry[]): Promise<wire.CourseMappingReport> {
    return (
      await this.#post<wire.CourseMappingReport>(this.#url('register-course-mappings', this.#company), { mappings })
    ).body;
  }

  async listUserMappings(query: wire.PageQuery = {}): Promise<wire.UserMappingList> {
    return (await this.#get<wire.UserMappingList>(this.#url('list-user-mappings', this.#company), query)).body;
  }

  async listCourseMappings(query: wire.PageQuery = {}): Promise<wire.CourseMappingList> {
    return (await this.#get<wire.CourseMappingList>(this.#url('list-course-mappings', this.#company), query)).body;
  }

  /** Every registered user id, page by page. */
  userMappings(): AsyncGenerator<wire.UserMapping> {
    return pages(
      (cursor) => this.listUserMappings(cursor),
      ({ mappings }) => mappings,
    );
  }

  /** Every registered course id, page by page. */
  courseMappings(): AsyncGenerator<wire.CourseMapping> {
    return pages(
      (cursor) => this.listCourseMappings(cursor),
      ({ mappings }) => mappings,
    );
  }

  /**
   * At most 500 records; the service validates them. The default, a random key, makes retries of this call safe; a key of your
   * own also makes repeats after a crash safe.
   */
  async startImport(
    body: { dry_run: boolean; run_id?: string; records: readonly unknown[] },
    idempotencyKey: string = crypto.randomUUID(),
  ): Promise<wire.StartedImport> {
    const response = await this.#post<wire.Import>(this.#url('start-import', this.#company), body, {
      'idempotency-key': idempotencyKey,
    });
    const { body: started, headers, retryAfterSeconds } = response;
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
  async getImport(import_id: string): Promise<wire.Import> {
    return (await this.#readImport(import_id)).body;
  }

  /** Polls, no more often than the service allows, until the import has a terminal status. */
  waitForImport(import_id: string, options: wire.WaitOptions<wire.Import> = {}): Promise<wire.Import> {
    return whenEnded(() => this.#readImport(import_id), options);
  }

  async listImports(query: wire.ImportQuery = {}): Promise<wire.ImportList> {
    return (await this.#get<wire.ImportList>(this.#url('list-imports', this.#company), query)).body;
  }

  /** Every import that fits, page by page. */
  imports(query: Omit<wire.ImportQuery, 'cursor'> = {}): AsyncGenerator<wire.ImportSummary> {
    return pages(
      (cursor) => this.listImports({ ...query, ...cursor }),
      ({ imports }) => imports,
    );
  }

  /**
   * Cancels an import: no chunk of it starts afterwards. Safe to repeat; an import that has ended stays as it is.
   *
   * @throws ServiceError `import_not_found`
   */
  async cancelImport(import_id: string): Promise<wire.Import> {
    return (await this.#post<wire.Import>(this.#url('cancel-import', { ...this.#company, import_id }))).body;
  }

  async listRuns(query: wire.PageQuery = {}): Promise<wire.RunList> {
    return (await this.#get<wire.RunList>(this.#url('list-runs', this.#company), query)).body;
  }

  /** Every run, newest first, page by page. */
  runs(): AsyncGenerator<wire.Run> {
    return pages(
      (cursor) => this.listRuns(cursor),
      ({ runs }) => runs,
    );
  }

  /** Status and counts of every real import that was sent with this `run_id`. @throws ServiceError `run_not_found` */
  async getRun(run_id: string): Promise<wire.Run> {
    return (await this.#readRun(run_id)).body;
  }

  /** Polls until every import of the run has a terminal status. @throws ServiceError `run_not_found` */
  waitForRun(run_id: string, options: wire.WaitOptions<wire.Run> = {}): Promise<wire.Run> {
    return whenEnded(() => this.#readRun(run_id), options);
  }

  /** Cancels every open import of a run. Safe to repeat. @throws ServiceError `run_not_found` */
  async cancelRun(run_id: string): Promise<wire.Run> {
    return (await this.#post<wire.Run>(this.#url('cancel-run', { ...this.#company, run_id }))).body;
  }

  /**
   * Takes back the progress that an import wrote; with `dry_run` only reports it. Safe to repeat.
   *
   * @throws ServiceError `import_not_found`, `import_not_terminal`
   */
  async revertImport(import_id: string, body: { dry_run: boolean }): Promise<wire.Revert> {
    return (await this.#post<wire.Revert>(this.#url('revert-import', { ...this.#company, import_id }), body)).body;
  }

  /** The revert of an import; if none was requested, a report of the changes that it would make. @throws ServiceError `import_not_found`, `import_not_terminal` */
  async getRevert(import_id: string): Promise<wire.Revert> {
    return (await this.#get<wire.Revert>(this.#url('get-revert', { ...this.#company, import_id }), {})).body;
  }

  /** The same for every real import of a run, as one. @throws ServiceError `run_not_found`, `import_not_terminal` */
  async revertRun(run_id: string, body: { dry_run: boolean }): Promise<wire.RunRevert> {
    return (await this.#post<wire.RunRevert>(this.#url('revert-run', { ...this.#company, run_id }), body)).body;
  }

  /** The same for a run. @throws ServiceError `run_not_found`, `import_not_terminal` */
  async getRunRevert(run_id: string): Promise<wire.RunRevert> {
    return (await this.#readRunRevert(run_id)).body;
  }

  /** Polls until the requested revert of a run has ended. @throws ServiceError `run_not_found` */
  waitForRunRevert(run_id: string, options: wire.WaitOptions<wire.RunRevert> = {}): Promise<wire.RunRevert> {
    return whenEnded(() => this.#readRunRevert(run_id), options);
  }

  async listRecords(import_id: string, query: wire.RecordQuery = {}): Promise<wire.RecordList> {
    return (await this.#get<wire.RecordList>(this.#url('list-import-records', { ...this.#company, import_id }), query))
      .body;
  }

  /** Every record result of an import, page by page. */
  records(import_id: string, query: Omit<wire.RecordQuery, 'cursor'> = {}): AsyncGenerator<wire.ListedResult> {
    return pages(
      (cursor) => this.listRecords(import_id, { ...query, ...cursor }),
      ({ records }) => records,
    );
  }

  /** Everything stored under one record id. @throws ServiceError `record_not_found` */
  async getRecord(external_record_id: string): Promise<wire.RecordAudit> {
    return (await this.#get<wire.RecordAudit>(this.#url('get-record', this.#company), { external_record_id })).body;
  }

  #readImport(import_id: string): Promise<HttpResponse<wire.Import>> {
    return this.#get<wire.Import>(this.#url('get-import', { ...this.#company, import_id }), {});
  }

  #readRun(run_id: string): Promise<HttpResponse<wire.Run>> {
    return this.#get<wire.Run>(this.#url('get-run', { ...this.#company, run_id }), {});
  }

  #readRunRevert(run_id: string): Promise<HttpResponse<wire.RunRevert>> {
    return this.#get<wire.RunRevert>(this.#url('get-run-revert', { ...this.#company, run_id }), {});
  }

  #url<Name extends RouteName>(name: Name, parameters: PathParameters<Name>): string {
    return trimmed(this.#options.baseUrl) + routePath(name, parameters);
  }

  #get<Body>(url: string, query: object): Promise<HttpResponse<Body>> {
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    // A blank is always `%20`: API Gateway does not promise to read a plus sign as one.
    const search = new URLSearchParams(given).toString().replaceAll('+', '%20');
    return this.#call('GET', `${url}${search === '' ? '' : `?${search}`}`);
  }

  #post<Body>(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<HttpResponse<Body>> {
    return this.#call('POST', url, { ...(body !== undefined && { body }), headers });
  }

  /** All operations are safe to repeat: reads, upserts, and imports under a key. */
  #call<Body>(method: 'GET' | 'POST', url: string, sent: { body?: unknown; headers?: Record<string, string> } = {}) {
    const send = (token: string) =>
      this.#transport<Body>({ ...sent, method, url, headers: { ...sent.headers, authorization: `Bearer ${token}` } });
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

const trimmed = (url: string): string => url.replace(/\/+$/, '');
