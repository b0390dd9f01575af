/** Who may call: sessions, throttled logins and signing keys. */
import type { Company, ImportItem, User } from '../../domain/model.ts';

/** A login session. Exactly one refresh token is current; those spent in the last 30 s are remembered. */
export interface Session {
  readonly session_id: string;
  readonly company_id: string;
  readonly user_id: number;
  readonly email: string;
  readonly revoked: boolean;
  /** `jti`, `iat`, `exp` (seconds) of the current refresh token. */
  readonly current: RefreshTokenId;
  readonly spent: readonly { readonly jti: string; readonly spent_at_ms: number }[];
  readonly expires_at_seconds: number;
}

export interface RefreshTokenId {
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

export interface SessionStore {
  /** Strongly consistent. */
  read(session_id: string): Promise<Session | undefined>;
  create(session: Session): Promise<void>;
  /** Replaces the session if its current refresh token is still `expected_jti` and it is not revoked. False if not. */
  rotate(session: Session, expected_jti: string): Promise<boolean>;
  revoke(session_id: string): Promise<void>;
}

/** Failed logins of one key (an account from an address, or an address) in a window that starts with its first failure. */
export interface LoginThrottleStore {
  /** Failures counted in the window that is open now, by key; and when that window ends. */
  failures(keys: readonly string[], now_ms: number): Promise<Map<string, { count: number; window_ends_ms: number }>>;
  /** Counts one failure unless `limit` is reached in the open window. False if it is. */
  recordFailure(key: string, limit: number, window_ms: number, now_ms: number): Promise<boolean>;
  /** Forgets the key's failures, unless `limit` was reached meanwhile. False if it was. */
  clear(key: string, limit: number, now_ms: number): Promise<boolean>;
}

/** A public signing key as published; verifiable until `valid_until_seconds`. */
export interface PublishedKey {
  readonly kid: string;
  readonly jwk: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };
  readonly valid_until_seconds: number;
}

export interface SigningKeyStore {
  publish(key: PublishedKey): Promise<void>;
  /** Strongly consistent. */
  read(kid: string): Promise<PublishedKey | undefined>;
  list(): Promise<PublishedKey[]>;
}

/** The private side of the signing key: KMS, or its local stand-in behind the same API. */
export interface Signer {
  /** Public half of the key that signs now. `kid` is its RFC 7638 thumbprint. */
  publicKey(): Promise<Pick<PublishedKey, 'kid' | 'jwk'>>;
  /** Raw 64-byte ES256 signature (r‖s) of the message. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}

export interface AccessStore {
  /** Who owns this address: the login directory, strongly consistent. */
  findLogin(email: string): Promise<{ company_id: string } | undefined>;
  /** Puts a new hash of the same password in place of the one that stands, if it still stands. */
  replacePasswordHash(user: Pick<User, 'company_id' | 'email' | 'password_hash'>, password_hash: string): Promise<void>;
  /** One strongly consistent batch: everything an authorisation decides on, and the import where one is asked for. */
  readAccess(key: { session_id: string; company_id: string; email: string; import_id?: string }): Promise<{
    session?: Session;
    user?: User;
    company?: Company;
    import?: ImportItem;
  }>;
}
