/** A world for a few thousand hostile requests: valid credentials, ids and cursors, and a guard over every key. */
import { decodeJwt } from 'jose';

import type { TokenVerifier } from '../../../functions/auth/verify-token.ts';
import { importedRecord } from '../matrix/ask.ts';
import { ADMIN_OF_OWN } from '../matrix/token-class.ts';
import { OWN } from '../support/data.ts';
import { signed, sessionDraft } from '../support/forge.ts';
import { type Answered, routeOf, type Sent } from '../support/target.ts';
import { createService, sendingTo, type Service } from '../support/world.ts';
import type { Credentials, Known } from './make-request.ts';

/** Verifies each token once, because the clock does not move and another suite tests forged ones. */
function remembering(verifier: TokenVerifier): TokenVerifier {
  const remembering = <Claims>(verify: (token: string, nowMs: number) => Promise<Claims>) => {
    const known = new Map<string, Promise<Claims>>();
    return (token: string, nowMs: number) => {
      const response = known.get(token) ?? verify(token, nowMs);
      known.set(token, response);
      return response;
    };
  };
  return {
    verifyAccess: remembering((token, nowMs) => verifier.verifyAccess(token, nowMs)),
    verifyRefresh: remembering((token, nowMs) => verifier.verifyRefresh(token, nowMs)),
  };
}

export class FuzzWorld {
  /** Of all responses so far. */
  static readonly statuses = new Set<number>();
  readonly world: Service;
  readonly credentials: Credentials;
  readonly known: Known;
  readonly #session: string;

  private constructor(world: Service, credentials: Credentials, known: Known) {
    this.world = world;
    this.credentials = credentials;
    this.known = known;
    this.#session = String(decodeJwt(credentials.access).sid);
  }

  static async create(): Promise<FuzzWorld> {
    const world = await createService();
    world.send = sendingTo({ ...world.services, verifier: remembering(world.services.verifier) });
    const access = await signed(await sessionDraft(world, ADMIN_OF_OWN, 'access'), world.signer);
    const refresh = await signed(await sessionDraft(world, ADMIN_OF_OWN, 'refresh'), world.signer);
    const record = await importedRecord(world);
    await world.deliver();
    const fuzz = new FuzzWorld(world, { access, refresh }, { ...record, cursors: [] });
    return new FuzzWorld(world, fuzz.credentials, { ...record, cursors: await fuzz.#cursors(record.import_id) });
  }

  async #cursors(import_id: string): Promise<string[]> {
    const found: string[] = [];
    for (const name of ['list-courses', 'list-imports', 'list-import-records']) {
      const { text } = await this.ask(name, { import_id }, { limit: '1' });
      const { next_cursor } = JSON.parse(text) as { next_cursor: string | null };
      if (next_cursor !== null) found.push(next_cursor);
    }
    return found;
  }

  ask(name: string, path: Record<string, string>, query: Record<string, string> = {}): Promise<Answered> {
    const headers = { authorization: `Bearer ${this.credentials.access}` };
    return this.world.send({ route: routeOf(name), path: { company_id: OWN, ...path }, query, headers });
  }

  async send(sent: Sent): Promise<Answered> {
    const { guard } = this.world;
    if (sent.route.access === 'migration') guard.watch(OWN, this.#session);
    const answered = await this.world.send(sent);
    guard.release();
    FuzzWorld.statuses.add(answered.status);
    return answered;
  }

  /** Only keys of the own company may be touched. */
  async process(): Promise<readonly unknown[]> {
    this.world.guard.watch(OWN);
    const failed = await this.world.deliver();
    this.world.guard.release();
    return failed;
  }

  /** New violations of the guard and new errors of the log since the last call. */
  takeComplaints(): string[] {
    const { guard, telemetry } = this.world;
    const errors = telemetry.lines.filter(({ level }) => level === 'error');
    telemetry.lines.length = 0;
    telemetry.samples.length = 0;
    return [
      ...guard.violations.splice(0),
      ...errors.map(
        ({ message, error }) => `logged: ${message} ${error instanceof Error ? (error.stack ?? '').slice(0, 300) : ''}`,
      ),
    ];
  }
}
