/**
 * The stores of sessions and keys (§5) on a state that is replaced, never changed, so that every position can be kept; and
 * the tokens that clients hold.
 */
import type { Session } from '../../../functions/auth/access-store.ts';
import type { SessionServices } from '../../../functions/auth/sessions.ts';
import type { SigningKeyStore } from '../../../functions/auth/signing-keys.ts';
import { type PublishedKey, type TokenClaims, type TokenPair } from '../../../functions/auth/tokens.ts';
import type { FactServices } from '../../../functions/platform/facts.ts';
import type { KnownUser } from '../../../functions/platform/platform-data-store.ts';
import { type Clock, secondsOf } from '../../../functions/runtime/system.ts';
import type { User } from '../../../functions/shared/model.ts';

export const USER: User = {
  company_id: 'acme',
  user_id: 1,
  email: 'a@acme.test',
  name: 'A',
  role: 'admin',
  avatar: '',
  license: 'active',
};

export type StoredServices = Pick<SessionServices, 'random'> & {
  readonly stores: Omit<SessionServices['stores'], 'signingKeys'> & {
    readonly signingKeys: SigningKeyStore;
    readonly platform: Pick<FactServices['stores']['platform'], 'knownUsers' | 'saveUser'>;
  };
  readonly passwords: FactServices['passwords'];
  readonly clock: Clock;
};

/** What functions that sign with the key of this number find in the store. */
export function servicesOn(bench: { stored: Stored }, signing: number): StoredServices {
  const change = (part: Partial<Stored>) => void (bench.stored = { ...bench.stored, ...part });
  return {
    random: {
      hex: () => {
        change({ ids: bench.stored.ids + 1 });
        return String(bench.stored.ids);
      },
    },
    passwords: { hash: async (password) => password, verify: async (password, stored) => password === stored },
    clock: { nowMs: () => bench.stored.nowMs },
    stores: {
      access: {
        readAccess: async ({ session_id }) => {
          const session = unexpired(bench.stored, session_id);
          const { user } = bench.stored.known;
          return { ...(session && { session }), ...(user && { user }) };
        },
      },
      platform: {
        knownUsers: async () => [bench.stored.known],
        saveUser: async (_id, before, next) => {
          const { version, sessions_ended_at } = bench.stored.known;
          if (before?.version !== version || before.sessions_ended_at !== sessions_ended_at) return 'changed';
          change({ known: next });
          return 'saved';
        },
      },
      sessions: {
        create: async (session) => change(withSession(bench.stored, session)),
        rotate: async (session, expected_jti) => {
          const before = unexpired(bench.stored, session.session_id);
          if (before === undefined || before.revoked || before.current.jti !== expected_jti) return false;
          change({ ...withSession(bench.stored, session), rotations: bench.stored.rotations + 1 });
          return true;
        },
        revoke: async (session_id) => {
          const before = unexpired(bench.stored, session_id);
          if (before !== undefined) change(withSession(bench.stored, { ...before, revoked: true }));
        },
      },
      signingKeys: {
        publish: async (key) => {
          const { keys, nowMs } = bench.stored;
          if (key.valid_until_seconds > (keys[key.kid]?.valid_until_seconds ?? 0))
            change({ keys: { ...keys, [key.kid]: key } });
          if (signing === bench.stored.signing) change({ publishedAtSeconds: secondsOf(nowMs) });
        },
        read: async (kid) => bench.stored.keys[kid],
        list: async () => Object.values(bench.stored.keys),
      },
    },
  };
}

/** A table deletes what has expired at once or much later. Here it does what is worse: sessions at once, keys never. */
function unexpired({ sessions, nowMs }: Stored, session_id: string): Session | undefined {
  const session = sessions[session_id];
  return session !== undefined && session.expires_at_seconds > secondsOf(nowMs) ? session : undefined;
}

const withSession = ({ sessions }: Stored, session: Session) => ({
  sessions: { ...sessions, [session.session_id]: session },
});

/** What outlives a request: the items of the store, the key and the clock, small enough to be copied at every step. */
export interface Stored {
  readonly sessions: Readonly<Record<string, Session>>;
  readonly keys: Readonly<Record<string, PublishedKey>>;
  /** Number of the key that signs now. */
  readonly signing: number;
  /** When the functions that run now published it, as they remember; `undefined`: not yet. */
  readonly publishedAtSeconds: number | undefined;
  /** What the platform has said of the user. */
  readonly known: KnownUser;
  /** What a function that keeps running remembers of keys, by their `kid`. */
  readonly remembered: Readonly<Record<string, Remembered>>;
  readonly nowMs: number;
  /** How many ids were handed out. */
  readonly ids: number;
  /** How many refresh tokens were replaced. */
  readonly rotations: number;
}

/** A key as it was read, when, and the access token that it was read for. */
interface Remembered {
  readonly key: PublishedKey;
  readonly readAtMs: number;
  readonly token: string;
}

export const FRESH: Stored = {
  sessions: {},
  keys: {},
  signing: 0,
  publishedAtSeconds: undefined,
  known: { version: 0, user: USER },
  remembered: {},
  nowMs: Date.UTC(2026, 0, 2),
  ids: 0,
  rotations: 0,
};

export const isActive = ({ known }: Stored): boolean => known.user?.license === 'active';

/** In functions started for it, the next key signs from now on. */
export const withNextKey = (stored: Stored): Stored => ({
  ...stored,
  signing: stored.signing + 1,
  publishedAtSeconds: undefined,
});

/** A token as a client keeps it: the text that it presents, and what it says (§5 point 1). */
export interface Token extends TokenClaims {
  readonly text: string;
  readonly kid: string;
  readonly typ: string;
}

/** What a client keeps of a login or a refresh. */
export interface ClientTokens {
  readonly access: Token;
  readonly refresh: Token;
}

export const clientTokensOf = ({ access_token, refresh_token }: TokenPair): ClientTokens => ({
  access: readToken(access_token),
  refresh: readToken(refresh_token),
});

/** The same few texts are read again and again. */
const known = new Map<string, Token>();
const MOST_KNOWN = 10_000;

/** Reads without verifying. */
export function readToken(text: string): Token {
  const token = known.get(text) ?? decodedToken(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, token);
  return token;
}

function decodedToken(text: string): Token {
  const [header = '', payload = ''] = text.split('.');
  const { kid, typ } = decoded(header);
  const { sub, sid: session_id, company_id, email, jti, iat, exp } = decoded(payload);
  const claims = { user_id: Number(sub), session_id, company_id, email, jti, iat, exp };
  return { text, kid, typ, ...claims } as unknown as Token;
}

const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
