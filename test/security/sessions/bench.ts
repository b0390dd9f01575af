/** Login, refresh and the gate (§5): the real code on a store that is copied at every step. */
import { openSession, refreshSession } from '../../../functions/auth/sessions.ts';
import { logout } from '../../../functions/handlers/logout.ts';
import { applyUserFact, endSessions } from '../../../functions/platform/user-facts.ts';
import type { FactServices } from '../../../functions/platform/facts.ts';
import type { UserRow } from '../../../functions/platform/data-file-schema.ts';
import { isActiveBearer, type TokenVerifier, tokenVerifier } from '../../../functions/auth/verify-token.ts';
import {
  type Signer,
  signAccessToken,
  ACCESS_TOKEN,
  REFRESH_TOKEN,
  type TokenKind,
} from '../../../functions/auth/tokens.ts';
import { secondsOf } from '../../../functions/runtime/system.ts';
import { publishingSigner } from '../../../functions/auth/signing-keys.ts';
import { localSigner } from '../../kit/local-signer.ts';
import {
  servicesOn,
  USER,
  FRESH,
  type Stored,
  withNextKey,
  type ClientTokens,
  clientTokensOf,
  readToken,
} from './services.ts';
import type { BenchServices, Variant } from './variants.ts';

/** What is put to the test: the real code on the services of a variant, with one kind of keys. */
export interface System {
  readonly variant: Variant;
  readonly keys: Keys;
}

const PARTIES = { issuer: 'i', audience: 'a' };

export class Bench {
  stored: Stored;
  /** Of the functions that are deployed now. */
  services: BenchServices;
  readonly #system: System;

  private constructor(system: System, stored: Stored) {
    this.#system = system;
    this.stored = stored;
    this.services = this.#deployed();
  }

  static async on(system: System, stored: Stored = FRESH): Promise<Bench> {
    const bench = new Bench(system, stored);
    const { publishedAtSeconds } = stored;
    // The functions of the copy remember what those of the original remember.
    if (publishedAtSeconds !== undefined)
      await bench.services.signer.publish({ publish: async () => {} }, publishedAtSeconds);
    return bench;
  }

  /** A request under way continues in the function that started it, with the key before. */
  signWithNextKey(): void {
    this.stored = withNextKey(this.stored);
    this.services = this.#deployed();
  }

  async login(services = this.services): Promise<ClientTokens> {
    return clientTokensOf(await openSession(services, USER, this.stored.nowMs));
  }

  async refresh({ refresh }: ClientTokens, services = this.services): Promise<ClientTokens | undefined> {
    const { nowMs } = this.stored;
    const claims = await this.#verifier().verifyRefresh(refresh.text, nowMs);
    const pair = claims && (await refreshSession(services, claims, nowMs));
    return pair === 'spent' ? undefined : pair && clientTokensOf(pair);
  }

  /** Whether the session was ended: false where the access token does not pass. */
  async logout(held: ClientTokens, services = this.services): Promise<boolean> {
    const session = (await this.passes(held)) ? this.stored.sessions[held.access.session_id] : undefined;
    if (session === undefined) return false;
    const request = { caller: { session } } as Parameters<typeof logout>[0];
    await logout(request, services as unknown as Parameters<typeof logout>[1]);
    return true;
  }

  /** What the platform says of the user from now on; what it does not name stays. */
  async hear(change: Partial<UserRow>, services = this.services): Promise<void> {
    const { version, user = USER } = this.stored.known;
    const { user_id: id, password_hash, sessions_valid_from: _, ...rest } = user;
    const former = change.password === undefined && password_hash !== undefined ? { password_hash } : {};
    const row: UserRow = { ...rest, id, ...former, ...change };
    const of = { company_id: USER.company_id, id };
    await applyUserFact({ kind: 'user', version: version + 1, of, row }, this.stored.known, factServices(services));
  }

  /** As an operator does it. */
  async endSessions(services = this.services): Promise<void> {
    const of = { company_id: USER.company_id, id: USER.user_id };
    await endSessions({ kind: 'user', of, ends_sessions: true }, factServices(services));
  }

  /** Whether a protected call passes under the access token, as the gate of a function decides it that has just started. */
  async passes(held: ClientTokens): Promise<boolean> {
    return this.#passes(held, this.#verifier());
  }

  /** The same of a function that keeps running, and remembers what it reads. */
  async passesRunning(held: ClientTokens): Promise<boolean> {
    return this.#passes(held, await this.#runningVerifier(held));
  }

  async #passes({ access }: ClientTokens, verifier: TokenVerifier): Promise<boolean> {
    const claims = await verifier.verifyAccess(access.text, this.stored.nowMs);
    if (claims === undefined) return false;
    const { session, user } = await this.services.stores.access.readAccess(claims);
    return session !== undefined && isActiveBearer(claims, session, user, this.stored.nowMs);
  }

  /** Whether both tokens will verify to the last millisecond of their lives, even if no key is published any more. */
  async willLast({ access, refresh }: ClientTokens): Promise<boolean> {
    const verifier = this.#verifier();
    const verified = [
      await verifier.verifyAccess(access.text, access.exp * 1000 - 1),
      await verifier.verifyRefresh(refresh.text, refresh.exp * 1000 - 1),
    ];
    return !verified.includes(undefined);
  }

  /** Whether the key that signed the pair is not in the set, and yet a token that is made with it today verifies. */
  async takesUnpublished({ access }: ClientTokens): Promise<boolean> {
    const { kid } = access;
    const nowSeconds = secondsOf(this.stored.nowMs);
    const published = await this.services.stores.signingKeys.list();
    if (published.some((key) => key.kid === kid && key.valid_until_seconds > nowSeconds)) return false;
    const issuer = { ...PARTIES, signer: await this.#signerOf(kid), kid };
    const forged = await signAccessToken(issuer, access, 'forged', nowSeconds);
    return (await this.#verifier().verifyAccess(forged, this.stored.nowMs)) !== undefined;
  }

  async #signerOf(kid: string, number = 0): Promise<Signer> {
    const signer = this.#system.keys.signer(number);
    return (await signer.publicKey()).kid === kid ? signer : this.#signerOf(kid, number + 1);
  }

  #verifier() {
    return this.#system.keys.verifier({ ...PARTIES, keys: this.services.stores.signingKeys });
  }

  /** It first reads again what it had read, at the moments when it did. */
  async #runningVerifier({ access }: ClientTokens): Promise<TokenVerifier> {
    const { remembered } = this.stored;
    let isRunning = false;
    const read = async (kid: string) => {
      if (!isRunning) return remembered[kid]?.key;
      const key = await this.services.stores.signingKeys.read(kid);
      const { nowMs: readAtMs } = this.stored;
      if (key)
        this.stored = { ...this.stored, remembered: { ...remembered, [kid]: { key, readAtMs, token: access.text } } };
      return key;
    };
    const verifier = this.#system.keys.verifier({ ...PARTIES, keys: { read } });
    for (const { token, readAtMs } of Object.values(remembered)) await verifier.verifyAccess(token, readAtMs);
    isRunning = true;
    return verifier;
  }

  #deployed(): BenchServices {
    const { variant, keys } = this.#system;
    const { signing } = this.stored;
    return variant({ parties: PARTIES, signer: publishingSigner(keys.signer(signing)), ...servicesOn(this, signing) });
  }
}

const factServices = (services: BenchServices) => services as unknown as FactServices;

/** Signing keys by their number, and what verifies with them. */
export interface Keys {
  /** A function started just now, which signs with the key of this number and has yet to publish it. */
  readonly signer: (number: number) => Signer;
  readonly verifier: typeof tokenVerifier;
}

/**
 * For trying every position: a signature is the key's mark, and verification looks the key up by its `kid` among the published
 * ones, as the real one does.
 */
export const MARKED_KEYS: Keys = {
  signer: (number) => {
    const mark = String(number);
    const kid = mark.padStart(43, 'k');
    return {
      publicKey: async () => ({ kid, jwk: { kty: 'EC', crv: 'P-256', x: mark, y: '' } }),
      sign: async () => Buffer.from(mark),
    };
  },
  verifier: ({ keys }) => {
    const verify = (kind: TokenKind) => async (text: string, nowMs: number) => {
      const token = readToken(text);
      const key = await keys.read(token.kid);
      const isPublished = key !== undefined && key.valid_until_seconds > secondsOf(nowMs);
      const isSound = token.typ === kind.typ && (kind === REFRESH_TOKEN || token.exp > secondsOf(nowMs));
      return isPublished && isSound && key.jwk.x === markOf(text) ? token : undefined;
    };
    return { verifyAccess: verify(ACCESS_TOKEN), verifyRefresh: verify(REFRESH_TOKEN) };
  },
};

const markOf = (text: string): string => Buffer.from(text.split('.')[2] ?? '', 'base64url').toString();

const made = new Map<number, Signer>();

/** Real keys, really signed and verified with. */
export const ES256_KEYS: Keys = {
  signer: (number) => ({ ...keyOf(number) }),
  verifier: tokenVerifier,
};

/** Made when it is first used: the key of a number is the same in every life. */
function keyOf(number: number): Signer {
  const key = made.get(number) ?? localSigner();
  made.set(number, key);
  return key;
}
