/** One life of a user and a thief with their tokens: the real session code (§5) on the real stores over the table in memory. */
import type { Session } from '../../../functions/auth/access-store.ts';
import { openSession, refreshSession } from '../../../functions/auth/sessions.ts';
import { signAccessToken, type Signer } from '../../../functions/auth/tokens.ts';
import { isActiveBearer, tokenVerifier, type TokenVerifier } from '../../../functions/auth/verify-token.ts';
import { signingKeyKey } from '../../../functions/dynamodb/table.ts';
import { handler as logout } from '../../../functions/handlers/logout.ts';
import type { UserRow } from '../../../functions/platform/data-file-schema.ts';
import { applyUserFact, endSessions } from '../../../functions/platform/user-facts.ts';
import { secondsOf } from '../../../functions/runtime/system.ts';
import { localSigner } from '../../kit/local-signer.ts';
import { planted } from '../../kit/planted.ts';
import { createWorld, PARTIES, servicesOver, type Services } from '../../kit/world.ts';
import { type ClientTokens, clientTokensOf, USER } from './clients.ts';
import { afterLogin, type Model } from './model.ts';
import type { Variant } from './variants.ts';

const OF = { company_id: USER.company_id, id: USER.user_id };

/** The code under test: the real services as a variant changes them, and the verifier of tokens. */
export interface System {
  readonly variant: Variant;
  readonly verifier: typeof tokenVerifier;
}

export const SOUND: System = { variant: (services) => services, verifier: tokenVerifier };

export class Life {
  readonly world = createWorld();
  /** Of the functions that are deployed now. */
  services: Services;
  model: Model = { families: {}, struckOff: {}, endedAtMs: 0 };
  isActive = true;
  /** The tokens of the user's client: always those it received last. */
  user: ClientTokens | undefined;
  /** The time of the first lost response since then; a client that waits longer than the window has lost its session. */
  lostAtMs: number | undefined;
  /** Whether a token of the user's session was ever stolen. */
  isRobbed = false;
  /** The tokens that the thief received last, and those stolen first. */
  thief: ClientTokens | undefined;
  loot: ClientTokens | undefined;
  /** A function that keeps running, and remembers the keys that it reads. */
  readonly running: TokenVerifier;
  readonly #system: System;
  /** Number of the key that signs now. */
  #signing = 0;

  private constructor(system: System) {
    this.#system = system;
    this.world.clock.now = Date.UTC(2026, 0, 2);
    this.services = this.#deployed();
    this.running = this.#verifier();
  }

  static async begin(system: System): Promise<Life> {
    const life = new Life(system);
    await planted(life.world.stores.platform).putUsers([USER]);
    return life;
  }

  get nowMs(): number {
    return this.world.clock.now;
  }

  /** A table deletes expired items at once or much later. Here it does the worse of both: sessions at once, keys never. */
  wait(ms: number): void {
    this.world.clock.now += ms;
    for (const { pk, sk, expires_at_seconds } of this.world.table.items()) {
      const hasExpired = sk === 'session' && Number(expires_at_seconds) <= secondsOf(this.nowMs);
      if (hasExpired) this.world.table.write({ pk: String(pk), sk: 'session' }, undefined);
    }
  }

  /** A request under way continues in the function that started it, with the previous key. */
  signWithNextKey(): void {
    this.#signing += 1;
    this.services = this.#deployed();
  }

  async login(services = this.services): Promise<ClientTokens> {
    const held = clientTokensOf(await openSession(services, USER, this.nowMs));
    this.model = afterLogin(this.model, held, this.nowMs);
    return held;
  }

  async refresh({ refresh }: ClientTokens, services = this.services): Promise<ClientTokens | undefined> {
    const claims = await this.#verifier().verifyRefresh(refresh.text, this.nowMs);
    const pair = claims && (await refreshSession(services, claims, this.nowMs));
    return pair === undefined || pair === 'spent' ? undefined : clientTokensOf(pair);
  }

  sessionOf({ access }: ClientTokens): Promise<Session | undefined> {
    return this.world.stores.sessions.read(access.session_id);
  }

  /** Whether the session was ended: `false` if the access token does not pass. */
  async logout(held: ClientTokens, services = this.services): Promise<boolean> {
    const session = (await this.passes(held)) ? await this.sessionOf(held) : undefined;
    if (session === undefined) return false;
    await logout.operation({ caller: { session } } as Parameters<typeof logout.operation>[0], services);
    return true;
  }

  /** The platform's facts about the user from now on; members left out stay. */
  async hear(change: Partial<UserRow>, services = this.services): Promise<void> {
    const [known] = await services.stores.platform.knownUsers([USER]);
    const { user_id: id, password_hash, sessions_valid_from: _, ...rest } = known?.user ?? USER;
    const former = change.password === undefined && password_hash !== undefined ? { password_hash } : {};
    const row: UserRow = { ...rest, id, ...former, ...change };
    await applyUserFact({ kind: 'user', version: (known?.version ?? 0) + 1, of: OF, row }, known, services);
    this.isActive = row.license === 'active';
  }

  /** Ends all sessions of the user, as an operator does. */
  async endSessions(services = this.services): Promise<void> {
    await endSessions({ kind: 'user', of: OF, ends_sessions: true }, services);
  }

  /** Deletes the keys before the current one. Returns their ids. */
  async strikeOffKeys(): Promise<string[]> {
    const { kid: current } = await signerOf(this.#signing).publicKey();
    const kids = (await this.world.stores.signingKeys.list()).map(({ kid }) => kid).filter((kid) => kid !== current);
    for (const kid of kids) this.world.table.write(signingKeyKey(kid), undefined);
    return kids;
  }

  async isPublished(kid: string): Promise<boolean> {
    const key = await this.world.stores.signingKeys.read(kid);
    return (key?.valid_until_seconds ?? 0) > secondsOf(this.nowMs);
  }

  /** Whether a protected call passes under the access token, by default in a function that has just started. */
  async passes({ access }: ClientTokens, verifier = this.#verifier()): Promise<boolean> {
    const claims = await verifier.verifyAccess(access.text, this.nowMs);
    if (claims === undefined) return false;
    const { session, user } = await this.services.stores.access.readAccess(claims);
    return session !== undefined && isActiveBearer(claims, session, user, this.nowMs);
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

  /** Whether a token made today with the key of the pair verifies although that key is not in the set. */
  async takesUnpublished({ access }: ClientTokens): Promise<boolean> {
    const { kid } = access;
    if (await this.isPublished(kid)) return false;
    const issuer = { ...PARTIES, signer: await signerWith(kid), kid };
    const forged = await signAccessToken(issuer, access, 'forged', secondsOf(this.nowMs));
    return (await this.#verifier().verifyAccess(forged, this.nowMs)) !== undefined;
  }

  #verifier(): TokenVerifier {
    return this.#system.verifier({ ...PARTIES, keys: { read: (kid) => this.services.stores.signingKeys.read(kid) } });
  }

  #deployed(): Services {
    const { client, clock, services } = this.world;
    // A function that has just started has not published its key yet.
    const signer = { ...signerOf(this.#signing) };
    return this.#system.variant(servicesOver({ client, clock, queue: services.queue, signer }));
  }
}

const signers: Signer[] = [];

/** The key of a number is the same in every life. */
function signerOf(number: number): Signer {
  return (signers[number] ??= localSigner());
}

async function signerWith(kid: string): Promise<Signer> {
  for (const signer of signers) if ((await signer.publicKey()).kid === kid) return signer;
  throw new Error(`no key of this life has the id ${kid}`);
}
