import { routePath } from '../wire/values.ts';
import { NotAuthenticated, ServiceError, ServiceUnreachable } from '../wire/errors.ts';
import { type Transport, withRetries } from './transport.ts';
import type { Credentials, SignInRequest, SignInWays, TokenPair } from '../wire/types.ts';

/** A pair this old is renewed while its refresh token lives, so that a session in use does not run out (§5 point 5). */
const RENEW_AFTER_MS = 60 * 60 * 1000;
/** The service accepts a refresh token again for 30 s after its first use; later use of it ends the session. */
const SAFE_TO_REPEAT_MS = 20_000;
const EXPIRY_MARGIN_MS = 30_000;
/** The user waits for the end of a logout. */
const LOGOUT_PATIENCE_MS = 8000;

export interface SessionOptions {
  /** Base URL of the authentication operations. */
  readonly authBaseUrl: string;
  readonly transport: Transport;
  readonly tokens: TokenStore;
  readonly now: () => number;
  /** Called when the session has ended. Resolves once the token store has the tokens of a new one. */
  readonly signInAgain?: () => Promise<void>;
}

/**
 * Logs in and keeps the token pair fresh (§5).
 *
 * @example
 * const session = new Session({
 *   authBaseUrl: 'https://api.example.com',
 *   transport: async ({ body }) => ({ status: 201, body: { access_token: `token of ${body.email}` }, headers: new Headers() }), // in place of the network
 *   tokens: memoryTokenStore(),
 *   now: Date.now,
 * });
 * await session.login({ email: 'admin@acme.test', password: 'changeme' });
 * await session.accessToken(); // => 'token of admin@acme.test'
 */
export class Session {
  readonly #options: SessionOptions;
  #clockAheadMs = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** How far the clock of this machine is ahead of that of the service, as its last response had it; behind it, negative. */
  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }

  /** Reads the time of the service from a response. A difference of less than a minute counts as none. */
  noteTime(headers: Headers): void {
    const aheadMs = this.#options.now() - Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(aheadMs)) this.#clockAheadMs = Math.abs(aheadMs) < 60_000 ? 0 : aheadMs;
  }

  /** @throws ServiceError 401 for wrong credentials, 429 after too many of them */
  async login(credentials: Credentials): Promise<void> {
    const { body } = await this.#post('login', credentials);
    await this.#options.tokens.write({ ...body });
  }

  /** How people sign in here. @throws ServiceError, ServiceUnreachable */
  async signInWays(): Promise<SignInWays> {
    const { authBaseUrl, transport } = this.#options;
    return (await transport<SignInWays>({ method: 'GET', url: authBaseUrl + routePath('get-sign-in', {}) })).body;
  }

  /** By a code of the identity provider. @throws ServiceError 401 if it is refused */
  async signIn(sent: SignInRequest): Promise<void> {
    const { body } = await this.#post('sign-in', sent);
    await this.#options.tokens.write({ ...body });
  }

  /** A session that is over is no error. The tokens stay in the store. @throws ServiceError, ServiceUnreachable */
  async logout(): Promise<void> {
    const { authBaseUrl, transport, tokens } = this.#options;
    const stored = await tokens.read();
    if (stored === undefined) return;
    const headers = { authorization: `Bearer ${stored.access_token}` };
    const end = () => transport({ method: 'POST', url: authBaseUrl + routePath('logout', {}), headers });
    try {
      await withRetries(end, { patienceMs: LOGOUT_PATIENCE_MS });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 401) throw error;
    }
  }

  /** Renews the pair first if due. Sends an expired token too, as this clock may be wrong. @throws NotAuthenticated */
  async accessToken(): Promise<string> {
    const stored = await this.#options.tokens.read();
    if (stored === undefined) return this.#whenEnded('You are not logged in');
    if (!this.#isDue(stored)) return stored.access_token;
    return ((await this.#renew((current) => this.#isDue(current))) ?? stored).access_token;
  }

  /** A new token after the service refused this one. @throws NotAuthenticated if the pair cannot be renewed */
  async tokenAfterRefusal(refused: string): Promise<string> {
    const renewed = await this.#renew(({ access_token }) => access_token === refused);
    if (renewed === undefined || renewed.access_token === refused) {
      return this.#whenEnded('The service no longer accepts the session');
    }
    return renewed.access_token;
  }

  async #whenEnded(reason: string): Promise<string> {
    const { signInAgain } = this.#options;
    if (signInAgain === undefined) throw new NotAuthenticated(reason);
    await signInAgain();
    return this.accessToken();
  }

  #isDue({ access_token, refresh_token }: StoredTokens): boolean {
    if (this.#isExpired(access_token)) return true;
    const { issuedAtMs = this.#now() } = readClaims(access_token);
    return this.#isAlive(refresh_token) && this.#now() - issuedAtMs > RENEW_AFTER_MS;
  }

  #isExpired(token: string): boolean {
    const { expiresAtMs = Number.POSITIVE_INFINITY } = readClaims(token);
    return this.#now() > expiresAtMs - EXPIRY_MARGIN_MS;
  }

  #now(): number {
    return this.#options.now() - this.#clockAheadMs;
  }

  #isAlive(refresh_token: string | undefined): refresh_token is string {
    return refresh_token !== undefined && !this.#isExpired(refresh_token);
  }

  /** Another process that shares the store may have renewed the pair meanwhile, so it is read again under the lock. */
  async #renew(isWanted: (stored: StoredTokens) => boolean): Promise<StoredTokens | undefined> {
    const { tokens, now } = this.#options;
    return tokens.exclusively(async () => {
      const stored = await tokens.read();
      if (stored === undefined || !isWanted(stored) || !this.#isAlive(stored.refresh_token)) return stored;
      const since = stored.refreshing_since_ms ?? now();
      if (now() - since > SAFE_TO_REPEAT_MS) return this.#forgetRefreshToken(stored);
      await tokens.write({ ...stored, refreshing_since_ms: since });
      return this.#refresh(stored, stored.refresh_token);
    });
  }

  async #refresh(stored: StoredTokens, refreshToken: string): Promise<StoredTokens> {
    try {
      const { body } = await withRetries(() => this.#post('refresh-token', { refreshToken }), {
        patienceMs: SAFE_TO_REPEAT_MS,
      });
      const fresh: StoredTokens = { ...body };
      await this.#options.tokens.write(fresh);
      return fresh;
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof ServiceUnreachable)) throw error;
      return this.#forgetRefreshToken(stored);
    }
  }

  async #forgetRefreshToken({ access_token }: StoredTokens): Promise<StoredTokens> {
    await this.#options.tokens.write({ access_token });
    return { access_token };
  }

  async #post(operation: 'login' | 'sign-in' | 'refresh-token', body: unknown) {
    const { authBaseUrl, transport } = this.#options;
    const response = await transport<TokenPair>({ method: 'POST', url: authBaseUrl + routePath(operation, {}), body });
    this.noteTime(response.headers);
    return response;
  }
}

/** The token pair as a client stores it between calls, and between runs. */
export interface StoredTokens {
  readonly access_token: string;
  /** Absent if it may have been used and the new pair did not arrive: a second use would end the session. */
  readonly refresh_token?: string;
  /** Set while a refresh is in progress, milliseconds since the epoch. */
  readonly refreshing_since_ms?: number;
}

export interface TokenStore {
  read(): Promise<StoredTokens | undefined>;
  write(tokens: StoredTokens): Promise<void>;
  /** Runs the step while no other user of this store runs one. */
  exclusively<T>(step: () => Promise<T>): Promise<T>;
}

/**
 * Keeps the tokens of one process.
 *
 * @example
 * const tokens = memoryTokenStore({ access_token: 'first' });
 * await tokens.exclusively(() => tokens.write({ access_token: 'second' }));
 * await tokens.read(); // => { access_token: 'second' }
 */
export function memoryTokenStore(tokens?: StoredTokens): TokenStore {
  let stored = tokens;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async read() {
      return stored;
    },
    async write(tokens) {
      stored = tokens;
    },
    exclusively<T>(step: () => Promise<T>): Promise<T> {
      const turn = last.then(step);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** The claims of a token that a client plans ahead with; only the service can verify a token. */
export interface ReadableClaims {
  readonly issuedAtMs: number | undefined;
  readonly expiresAtMs: number | undefined;
  readonly company_id: string | undefined;
}

/**
 * Reads the claims without verifying them; a claim that is absent or malformed is `undefined`.
 *
 * @example
 * const payload = btoa(JSON.stringify({ iat: 1700000000, exp: 1700003600, company_id: 'acme' }));
 * readClaims(`header.${payload}.signature`); // => { issuedAtMs: 1700000000000, expiresAtMs: 1700003600000, company_id: 'acme' }
 * readClaims('no token').company_id; // => undefined
 */
export function readClaims(token: string): ReadableClaims {
  const { iat, exp, company_id } = payloadOf(token);
  return {
    issuedAtMs: typeof iat === 'number' ? iat * 1000 : undefined,
    expiresAtMs: typeof exp === 'number' ? exp * 1000 : undefined,
    company_id: typeof company_id === 'string' ? company_id : undefined,
  };
}

function payloadOf(token: string): Record<string, unknown> {
  try {
    const payload: unknown = JSON.parse(textOf(token.split('.')[1] ?? ''));
    return typeof payload === 'object' && payload !== null ? { ...payload } : {};
  } catch {
    return {};
  }
}

const textOf = (part: string): string =>
  new TextDecoder().decode(
    Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0)),
  );
