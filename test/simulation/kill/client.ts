/** A client that does not mind when the service is away: it asks again, with the same key. */
import { undocumented } from '../../kit/documented.ts';

export interface Answer {
  readonly status: number;
  readonly replayed: boolean;
  // Answers are looked at member by member.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export class Client {
  readonly #base: string;
  readonly #findings: string[];
  #token = '';

  /** `findings`: takes what is answered otherwise than documented. */
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
