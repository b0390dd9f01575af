import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import {
  fetchTransport,
  MigrationClient,
  NotAuthenticated,
  type RequestErrorCode,
  type RetryPolicy,
  ServiceError,
  type StoredTokens,
  type TokenStore,
  type Transport,
} from '../../client/index.ts';
import { codeOf, UsageError } from '../errors.ts';
import { clientTokens, type Granting } from './client-key.ts';
import { writePrivateFile } from '../files/config-folder.ts';
import type { CommandContext } from '../command.ts';
import { duration, askPassword, type Output } from '../terminal.ts';
import { grouped } from '../../engine/ground/text.ts';

const STORED_SESSION = v.object({
  base_url: v.string(),
  auth_base_url: v.string(),
  company_id: v.string(),
  /** Of a person; a machine has a client in its place. */
  email: v.exactOptional(v.string()),
  /** Signed in by a browser: there is no password to ask for. */
  web: v.exactOptional(v.literal(true)),
  client: v.exactOptional(v.object({ client_id: v.string(), key_file: v.string() })),
  tokens: v.exactOptional(
    v.object({
      access_token: v.string(),
      refresh_token: v.exactOptional(v.string()),
      refreshing_since_ms: v.exactOptional(v.number()),
    }),
  ),
});

type StoredSession = v.InferOutput<typeof STORED_SESSION>;
export type Login = Omit<StoredSession, 'tokens'>;

/** Longer than any refresh takes; an older lock was left by a process that was killed. */
const STALE_LOCK_MS = 25_000;

/** The session in the user's config folder, readable by that user alone; commands that run at the same time share it. */
export class SessionFile implements TokenStore {
  readonly #path: string;
  readonly #lock: string;

  constructor(folder: string) {
    this.#path = join(folder, 'session.json');
    this.#lock = join(folder, 'session.lock');
  }

  login(): Login | undefined {
    return this.#stored();
  }

  /** Starts a session without tokens; the previous one is forgotten. */
  begin(login: Login): void {
    this.#put(login);
  }

  forget(): void {
    rmSync(this.#path, { force: true });
  }

  async read(): Promise<StoredTokens | undefined> {
    return this.#stored()?.tokens;
  }

  async write(tokens: StoredTokens): Promise<void> {
    const stored = this.#stored();
    if (stored !== undefined) this.#put({ ...stored, tokens });
  }

  async exclusively<T>(step: () => Promise<T>): Promise<T> {
    while (!acquired(this.#lock)) await pause(50);
    try {
      return await step();
    } finally {
      rmSync(this.#lock, { force: true });
    }
  }

  #stored(): StoredSession | undefined {
    try {
      return v.parse(STORED_SESSION, JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch {
      return undefined;
    }
  }

  #put(session: StoredSession): void {
    writePrivateFile(this.#path, `${JSON.stringify(session, undefined, 2)}\n`);
  }
}

/** @throws UsageError if the folder cannot be written to */
function acquired(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EEXIST') throw new UsageError(`${lock} cannot be written (${code}).`);
    const createdAtMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - createdAtMs > STALE_LOCK_MS) rmSync(lock, { force: true });
    return false;
  }
}

export interface Connection {
  readonly client: MigrationClient;
  readonly login: Login;
}

export const PATIENCE_MS = 5 * 60_000;
/** The first call only shows that the service can be reached. */
export const FIRST_CALL = { patienceMs: 8000 };

export const isLoggedIn = ({ folder }: Pick<CommandContext, 'folder'>): boolean =>
  new SessionFile(folder).login() !== undefined;

/** A client after a first call; a password renews it. @throws NotAuthenticated, ServiceUnreachable, ServiceError */
export async function connect(
  { output, folder }: CommandContext,
  retry: RetryPolicy = { patienceMs: PATIENCE_MS },
  own: { readonly transport?: Transport } = {},
): Promise<Connection> {
  const tokens = new SessionFile(folder);
  const login = tokens.login();
  if (login === undefined) throw new NotAuthenticated('You are not logged in');
  const { email, web } = login;
  const first = { transport: fetchTransport(FIRST_CALL.patienceMs), ...own };
  const probe = clientFor(login, tokens, { ...retry, ...FIRST_CALL }, first);
  try {
    await probe.listCourses({ limit: 1 });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (email === undefined) throw error;
    if (!output.interactive || web === true) throw new NotAuthenticated('The session has ended');
    output.note(`The session of ${email} has ended.`);
    await probe.session.login({ email, password: await askPassword(`Password of ${email}`) });
    await probe.listCourses({ limit: 1 });
  }
  noteClock(probe, output);
  return { client: clientFor(login, tokens, retry, own), login };
}

const NOTED_CLOCK_MS = 5 * 60_000;

/** A wrong clock ends no session, but dates in the future are then not found. */
function noteClock({ session: { clockAheadMs } }: MigrationClient, output: Output): void {
  if (Math.abs(clockAheadMs) < NOTED_CLOCK_MS) return;
  const days = Math.floor(Math.abs(clockAheadMs) / 86_400_000);
  const difference = days > 1 ? `${grouped(days)} days` : duration(Math.abs(clockAheadMs) / 1000);
  output.note(
    `The clock of this machine is ${difference} ${clockAheadMs > 0 ? 'ahead of' : 'behind'} that of the service. Set it right: dates in the future are recognised by it.`,
  );
}

export function clientFor(
  { base_url: baseUrl, auth_base_url, company_id, client }: Omit<Login, 'email'>,
  store: TokenStore,
  retry: RetryPolicy,
  { transport = fetchTransport(REQUEST_TIMEOUT_MS), now = Date.now }: Partial<Pick<Granting, 'transport' | 'now'>> = {},
): MigrationClient {
  const own = client ? clientTokens(store, { auth_base_url, client, transport, now }) : { tokens: store };
  return new MigrationClient({ baseUrl, authBaseUrl: auth_base_url, company_id, ...own, retry, transport, now });
}

const REQUEST_TIMEOUT_MS = 60_000;

const isRefusal = (error: unknown): boolean =>
  error instanceof NotAuthenticated || (error instanceof ServiceError && error.status === 401);

/** @throws UsageError with these words in place of an error of the service with one of these codes */
export async function explained<T>(
  call: Promise<T>,
  words: Readonly<Partial<Record<RequestErrorCode, string>>>,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const [, text] = Object.entries(words).find(([code]) => hasCode(error, code)) ?? [];
    throw text === undefined ? error : new UsageError(text);
  }
}

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof ServiceError && error.errors.some(({ error_code }) => error_code === code);
