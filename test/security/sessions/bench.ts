/** Login, refresh and the gate (§5): the real code on a store that is copied at every step. */
import { isActiveBearer, openSession, refreshSession } from '../../../functions/auth/sessions.ts';
import type { Signer } from '../../../functions/auth/tokens.ts';
import { publishSigningKey } from '../../../functions/auth/signing-keys.ts';
import { secondsOf, signAccessToken } from '../../../functions/auth/tokens.ts';
import type { Keys } from './keys.ts';
import { servicesOn, USER } from './services.ts';
import { FRESH, type Stored, withNextKey } from './stored.ts';
import { type Held, heldOf } from './token.ts';
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
      await publishSigningKey(bench.services.signer, { publish: async () => {} }, publishedAtSeconds);
    return bench;
  }

  /** A request under way goes on in the function it began in, with the key before. */
  signWithNextKey(): void {
    this.stored = withNextKey(this.stored);
    this.services = this.#deployed();
  }

  async login(services = this.services): Promise<Held> {
    return heldOf(await openSession(services, USER, this.stored.nowMs));
  }

  async refresh({ refresh }: Held, services = this.services): Promise<Held | undefined> {
    const { nowMs } = this.stored;
    const claims = await this.#verifier().verifyRefresh(refresh.text, nowMs);
    const pair = claims && (await refreshSession(services, claims, nowMs));
    return pair && heldOf(pair);
  }

  /** Whether a protected call passes under the access token, as the gate decides it. */
  async passes({ access }: Held): Promise<boolean> {
    const claims = await this.#verifier().verifyAccess(access.text, this.stored.nowMs);
    if (claims === undefined) return false;
    const { session, user } = await this.services.access.readAccess(claims);
    return session !== undefined && isActiveBearer(claims, session, user);
  }

  /** Whether both tokens will verify to the last millisecond of their lives, even if no key is published any more. */
  async willLast({ access, refresh }: Held): Promise<boolean> {
    const verifier = this.#verifier();
    const verified = [
      await verifier.verifyAccess(access.text, access.exp * 1000 - 1),
      await verifier.verifyRefresh(refresh.text, refresh.exp * 1000 - 1),
    ];
    return !verified.includes(undefined);
  }

  /** Whether the key that signed the pair is not in the set, and yet a token that is made with it today verifies. */
  async takesUnpublished({ access }: Held): Promise<boolean> {
    const { kid } = access;
    const nowSeconds = secondsOf(this.stored.nowMs);
    const published = await this.services.signingKeys.list();
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
    return this.#system.keys.verifier({ ...PARTIES, keys: this.services.signingKeys });
  }

  #deployed(): BenchServices {
    const { variant, keys } = this.#system;
    const { signing } = this.stored;
    return variant({ parties: PARTIES, signer: keys.signer(signing), ...servicesOn(this, signing) });
  }
}
