/** One session in a store of one item, on a clock and with an id source of its own: small enough to be copied at every step. */
import type { User } from '../../../functions/domain/model.ts';
import { isActiveBearer } from '../../../functions/workflow/bearer.ts';
import type { Session, Signer } from '../../../functions/workflow/ports.ts';
import { openSession, refreshSession, type SessionServices } from '../../../functions/workflow/sessions.ts';
import { secondsOf, type TokenClaims, type TokenPair } from '../../../functions/workflow/tokens.ts';
import type { Variant } from './variants.ts';

const USER: User = {
  company_id: 'acme',
  user_id: 1,
  email: 'a@acme.test',
  name: 'A',
  role: 'admin',
  avatar: '',
  license: 'active',
};

/** Everything that outlives a request. */
export interface Stored {
  readonly session: Session | undefined;
  readonly isActive: boolean;
  readonly nowMs: number;
  /** How many ids were handed out. */
  readonly ids: number;
}

export const FRESH: Stored = { session: undefined, isActive: true, nowMs: Date.UTC(2026, 0, 2), ids: 0 };

/** Signatures are another suite's business. */
const SIGNER: Signer = {
  publicKey: async () => ({ kid: 'k'.repeat(43), jwk: { kty: 'EC', crv: 'P-256', x: '', y: '' } }),
  sign: async () => new Uint8Array(64),
};

export class Bench {
  stored: Stored;
  /** Rotations that were written. */
  rotations = 0;
  readonly services: SessionServices;

  constructor(variant: Variant, stored: Stored = FRESH) {
    this.stored = stored;
    this.services = variant(this.#sound());
  }

  #sound(): SessionServices {
    const write = (session: Session) => void (this.stored = { ...this.stored, session });
    return {
      parties: { issuer: 'i', audience: 'a' },
      signer: SIGNER,
      signingKeys: { publish: async () => {} },
      random: {
        hex: () => {
          this.stored = { ...this.stored, ids: this.stored.ids + 1 };
          return String(this.stored.ids);
        },
      },
      access: {
        readAccess: async () => {
          const { session, isActive } = this.stored;
          const user: User = { ...USER, license: isActive ? 'active' : 'inactive' };
          return session === undefined ? { user } : { session, user };
        },
      },
      sessions: {
        create: async (session) => write(session),
        rotate: async (session, expected_jti) => {
          const standing = this.stored.session;
          if (standing === undefined || standing.revoked || standing.current.jti !== expected_jti) return false;
          this.rotations += 1;
          write(session);
          return true;
        },
        revoke: async () => {
          if (this.stored.session !== undefined) write({ ...this.stored.session, revoked: true });
        },
      },
    };
  }

  async login(): Promise<Held> {
    return held(await openSession(this.services, USER, this.stored.nowMs));
  }

  /** A refresh with a token that verifies; what has expired does not. */
  async refresh({ refresh }: Held, services = this.services): Promise<Held | undefined> {
    const { nowMs } = this.stored;
    if (refresh.exp <= secondsOf(nowMs)) return undefined;
    const pair = await refreshSession(services, refresh, nowMs);
    return pair && held(pair);
  }

  /** Whether a protected call passes under the access token, as the gate decides it. */
  async passes({ access }: Held): Promise<boolean> {
    const { session, user } = await this.services.access.readAccess({ session_id: '', company_id: '', email: '' });
    const isAlive = access.exp > secondsOf(this.stored.nowMs);
    return isAlive && session !== undefined && isActiveBearer(access, session, user);
  }
}

/** What a client keeps of a login or a refresh. */
export interface Held {
  readonly access: TokenClaims;
  readonly refresh: TokenClaims;
}

function held({ access_token, refresh_token }: TokenPair): Held {
  return { access: claimsOf(access_token), refresh: claimsOf(refresh_token) };
}

function claimsOf(token: string): TokenClaims {
  const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const { sub, sid, company_id, email, jti, iat, exp } = JSON.parse(text) as Record<string, never>;
  return { user_id: Number(sub), session_id: sid, company_id, email, jti, iat, exp } as unknown as TokenClaims;
}
