import { NotAuthenticated, ServiceError, ServiceUnreachable } from './failures.ts';
import { withRetries } from './retry.ts';
import { readClaims } from './token-claims.ts';
import type { KeptTokens, TokenStore } from './token-store.ts';
import type { Transport } from './transport.ts';
import type { Credentials, TokenPair } from './types.ts';

/** A pair this old is renewed while its refresh token lives, so that a session in use does not run out (§5, rule 5). */
const RENEW_AFTER_MS = 60 * 60 * 1000;
/** The service answers a refresh token again for 30 s after its first use; later use of it ends the session. */
const SAFE_TO_REPEAT_MS = 20_000;
const EXPIRY_MARGIN_MS = 30_000;

export interface SessionOptions {
  /** Base URL of the authentication operations. */
  readonly authBaseUrl: string;
  readonly transport: Transport;
  readonly tokens: TokenStore;
  readonly now: () => number;
}

/** Logs in and keeps the token pair fresh (§5). */
export class Session {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** @throws ServiceError 401 for wrong credentials, 429 after too many of them */
  async login(credentials: Credentials): Promise<void> {
    const { body } = await this.#post('login', credentials);
    await this.#options.tokens.write({ ...body });
  }

  /**
   * A token to send. Renews the pair first if it is due; a renewal that fails matters only where the access token has expired.
   *
   * @throws NotAuthenticated if there is none that could be accepted
   */
  async accessToken(): Promise<string> {
    const kept = await this.#options.tokens.read();
    if (kept === undefined) throw new NotAuthenticated('not logged in');
    if (!this.#isDue(kept)) return kept.access_token;
    const renewed = (await this.#renew((current) => this.#isDue(current))) ?? kept;
    if (this.#isOver(renewed.access_token)) throw new NotAuthenticated('the session has expired');
    return renewed.access_token;
  }

  /** Another token after the service refused this one. @throws NotAuthenticated if there is none */
  async tokenAfterRefusal(refused: string): Promise<string> {
    const renewed = await this.#renew(({ access_token }) => access_token === refused);
    if (renewed === undefined || renewed.access_token === refused) {
      throw new NotAuthenticated('the session is no longer accepted');
    }
    return renewed.access_token;
  }

  #isDue({ access_token, refresh_token }: KeptTokens): boolean {
    if (this.#isOver(access_token)) return true;
    const { issuedAtMs = this.#options.now() } = readClaims(access_token);
    return this.#isAlive(refresh_token) && this.#options.now() - issuedAtMs > RENEW_AFTER_MS;
  }

  #isOver(token: string): boolean {
    const { expiresAtMs = Number.POSITIVE_INFINITY } = readClaims(token);
    return this.#options.now() > expiresAtMs - EXPIRY_MARGIN_MS;
  }

  #isAlive(refresh_token: string | undefined): refresh_token is string {
    return refresh_token !== undefined && !this.#isOver(refresh_token);
  }

  /** Others who share the store may have renewed the pair meanwhile: what is kept is looked at again once it is our turn. */
  async #renew(isWanted: (kept: KeptTokens) => boolean): Promise<KeptTokens | undefined> {
    const { tokens, now } = this.#options;
    return tokens.exclusively(async () => {
      const kept = await tokens.read();
      if (kept === undefined || !isWanted(kept) || !this.#isAlive(kept.refresh_token)) return kept;
      const since = kept.refreshing_since_ms ?? now();
      if (now() - since > SAFE_TO_REPEAT_MS) return this.#forgetRefreshToken(kept);
      await tokens.write({ ...kept, refreshing_since_ms: since });
      return this.#refresh(kept, kept.refresh_token);
    });
  }

  async #refresh(kept: KeptTokens, refreshToken: string): Promise<KeptTokens> {
    try {
      const { body } = await withRetries(() => this.#post('refresh-token', { refreshToken }), {
        patienceMs: SAFE_TO_REPEAT_MS,
      });
      const fresh: KeptTokens = { ...body };
      await this.#options.tokens.write(fresh);
      return fresh;
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof ServiceUnreachable)) throw error;
      return this.#forgetRefreshToken(kept);
    }
  }

  async #forgetRefreshToken({ access_token }: KeptTokens): Promise<KeptTokens> {
    await this.#options.tokens.write({ access_token });
    return { access_token };
  }

  #post(operation: string, body: unknown) {
    const { authBaseUrl, transport } = this.#options;
    return transport<TokenPair>({ method: 'POST', url: `${authBaseUrl}/api/v1/auth/${operation}`, body });
  }
}
