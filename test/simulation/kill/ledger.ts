/** The requests and responses of the client across all kills of the service, and their invariants. */
import { impliedPercentage } from '../../kit/implied-percentage.ts';
import { referenceBatch, type ReferenceResult } from '../../reference/record.ts';
import type { SourceProgress } from '../../reference/world.ts';
import { REFERENCE_WORLD } from '../invariants/by-reference.ts';
import { undocumented } from '../../kit/documented.ts';
import { COURSES } from '../world.ts';

export interface Sent {
  readonly key: string;
  readonly records: readonly unknown[];
  /** The first response, once there is one. */
  accepted?: Answer['body'];
  /** The last poll. */
  seen?: Answer['body'];
}

interface Effective {
  readonly completion_pct: number;
  readonly approved_course: number;
  readonly classes: readonly { platform_class_id: number }[];
}

const COUNTS = ['processed', 'succeeded', 'failed', 'with_warnings'] as const;

export class Ledger {
  readonly sent: Sent[] = [];
  readonly violations: string[] = [];
  responses = 0;
  polls = 0;
  audits = 0;
  readonly #effective = new Map<string, Effective>();

  violate(what: string): void {
    this.violations.push(what);
  }

  /** Expects 202, always with the same body, replayed or not. */
  answered(one: Sent, { status, body }: Answer): void {
    this.responses += 1;
    if (status === 503) return;
    if (status !== 202) return this.violate(`${one.key} was answered ${status} ${JSON.stringify(body)}`);
    if (one.accepted !== undefined && JSON.stringify(one.accepted) !== JSON.stringify(body))
      this.violate(`${one.key} was answered in two ways`);
    one.accepted = body;
  }

  polled(one: Sent, { status, body }: Answer): void {
    this.polls += 1;
    if (status === 503) return;
    if (status !== 200) return this.violate(`a poll of ${one.key} was answered ${status}`);
    const before = one.seen;
    one.seen = body;
    if (before === undefined) return;
    if (before.status !== 'processing' && before.status !== body.status)
      this.violate(`${one.key} went from ${before.status} to ${body.status}`);
    for (const name of COUNTS) {
      if (body.counts[name] < before.counts[name]) this.violate(`${one.key} went back in ${name}`);
    }
  }

  /** Checks that effective progress never decreases. */
  audited(pair: string, effective: Effective): void {
    this.audits += 1;
    const before = this.#effective.get(pair);
    this.#effective.set(pair, effective);
    if (before === undefined) return;
    const ids = new Set(effective.classes.map(({ platform_class_id }) => platform_class_id));
    const fell =
      effective.completion_pct < before.completion_pct ||
      effective.approved_course < before.approved_course ||
      before.classes.some(({ platform_class_id }) => !ids.has(platform_class_id));
    if (fell) this.violate(`the progress of ${pair} fell`);
  }

  /** Checks, once every import has ended, that every record has its result and the progress equals that of the records. */
  async settle(client: Client): Promise<void> {
    const expected = new Map<string, SourceProgress[]>();
    for (const one of this.sent) {
      for (const { progress, source } of this.#checkResults(one)) {
        if (progress === null || source === undefined) continue;
        const pair = `${progress.user_id}/${progress.platform_course_id}`;
        expected.set(pair, [...(expected.get(pair) ?? []), source]);
      }
    }
    await this.audit(client);
    for (const [pair, sources] of expected) this.#compare(pair, sources);
  }

  /** Checks that every record has the result that the rules require. */
  #checkResults({ key, records, seen, accepted }: Sent): ReferenceResult[] {
    const received = seen.records as { index: number; errors: { error_code: string }[] }[];
    if (received.length !== records.length)
      this.violate(`${key}: ${received.length} results for ${records.length} records`);
    const results = referenceBatch(records, REFERENCE_WORLD, accepted.created_at);
    for (const [at, { codes }] of results.entries()) {
      const names = received[at]?.errors.map(({ error_code }) => error_code).join();
      if (received[at]?.index !== at) this.violate(`${key}: result ${at} is of another record`);
      if (names !== codes.map(({ error_code }) => error_code).join()) this.violate(`${key}#${at}: ${names}`);
    }
    return results;
  }

  async audit(client: Client): Promise<void> {
    for (const id of ['r-1', 'r-2', 'r-3', 'r-4', 'r-5']) {
      const { status, body } = await client.get(`/progress/records?external_record_id=${id}`);
      if (status === 200) this.audited(`${body.user_id}/${body.platform_course_id}`, body.effective);
      else if (status !== 404 && status !== 503) this.violate(`the audit of ${id} was answered ${status}`);
    }
  }

  #compare(pair: string, sources: readonly SourceProgress[]): void {
    const stored = this.#effective.get(pair);
    const classes = [...new Set(sources.flatMap((source) => [...source.classes.keys()]))].toSorted((a, b) => a - b);
    const due = {
      completion_pct: Math.max(impliedBy(pair, classes), ...sources.map((source) => source.completion_pct)),
      approved_course: Math.max(...sources.map((source) => Number(source.certified))),
      classes,
    };
    const is = stored && {
      completion_pct: stored.completion_pct,
      approved_course: stored.approved_course,
      classes: stored.classes.map(({ platform_class_id }) => platform_class_id),
    };
    if (JSON.stringify(is) !== JSON.stringify(due))
      this.violate(`${pair} holds ${JSON.stringify(is)}, the records say ${JSON.stringify(due)}`);
  }
}

export interface Answer {
  readonly status: number;
  readonly replayed: boolean;
  // Responses are read member by member.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** A client that survives the absence of the service: it sends the request again, with the same key. */
export class Client {
  readonly #base: string;
  readonly #findings: string[];
  #token = '';

  /** `findings`: receives violations of the document by responses. */
  constructor(port: number, findings: string[]) {
    this.#base = `http://127.0.0.1:${port}`;
    this.#findings = findings;
  }

  async login(email: string, password: string): Promise<void> {
    const { body } = await this.#call('POST', '/api/v1/auth/login', { email, password });
    this.#token = String(body.access_token);
  }

  get(path: string): Promise<Answer> {
    return this.#call('GET', `/v1/migrations/acme${path}`);
  }

  import(records: readonly unknown[], key: string): Promise<Answer> {
    return this.#call(
      'POST',
      '/v1/migrations/acme/progress/imports',
      { dry_run: false, records },
      { 'idempotency-key': key },
    );
  }

  async #call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(this.#base + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    const { status, headers: seen } = response;
    const answered: unknown = await response.json();
    this.#findings.push(...undocumented(method, path, { status, headers: seen, body: answered }));
    return { status, replayed, body: answered };
  }
}

/** Rule 11: the percentage that the united classes imply. */
function impliedBy(pair: string, classes: readonly number[]): number {
  const course = COURSES.find(({ platform_course_id }) => pair.endsWith(`/${platform_course_id}`));
  const known = course?.classes.filter(({ platform_class_id }) => classes.includes(platform_class_id)) ?? [];
  return impliedPercentage(known.length, course?.classes.length ?? 0);
}
