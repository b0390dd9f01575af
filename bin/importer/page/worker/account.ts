/** The session of this tab. Its tokens are in the memory of the worker and nowhere else. */
import { MigrationClient } from '../../client/client.ts';
import { memoryTokenStore, readClaims, Session } from '../../client/session.ts';
import { fetchTransport, withRetries } from '../../client/transport.ts';
import type { Credentials, SignInRequest, SignInWays } from '../../wire/types.ts';
import { Problem, report } from './protocol.ts';

type Admitted = Awaited<ReturnType<typeof admitted>>;
export type Account = Admitted['account'];

const TIMEOUT_MS = 60_000;
/** After too many refused logins the service asks for a pause of minutes: the page shows that instead of waiting. */
const LOGIN_PATIENCE_MS = 20_000;
/** A person who sees the page waits longer than a script. */
const PATIENCE_MS = 60 * 60_000;

/** The address of the stage: the files of the page are in its folder `page`. */
export const baseUrl = new URL('..', import.meta.url).href.replace(/\/$/, '');

const tokens = memoryTokenStore();
const transport = fetchTransport(TIMEOUT_MS);

let shown: ReturnType<typeof setTimeout> | undefined;

/** @param reason names no code of the service where it did not respond at all */
function waits(reason: string, delayMs: number): void {
  clearTimeout(shown);
  report({ waiting: { isAway: reason.includes('cannot be reached'), seconds: Math.ceil(delayMs / 1000) } });
  shown = setTimeout(() => report({ waiting: undefined }), delayMs + 500);
}

let session: Admitted | undefined;
const waiting: (() => void)[] = [];

function present(): Admitted {
  if (session === undefined) throw new Problem('needs_sign_in');
  return session;
}

/** @throws Problem without a session */
export const service = (): MigrationClient => present().client;
/** @throws Problem without a session */
export const signedIn = (): Account => present().account;

const login = new Session({ authBaseUrl: baseUrl, transport, tokens, now: Date.now });

export const signInWays = (): Promise<SignInWays> => login.signInWays();

/** After a session has ended, what was under way continues. @throws ServiceError; Problem for another account */
export async function signIn(by: Credentials | SignInRequest): Promise<Account> {
  const former = await tokens.read();
  await withRetries(() => ('code' in by ? login.signIn(by) : login.login(by)), {
    patienceMs: LOGIN_PATIENCE_MS,
    onWait: waits,
  });
  try {
    const own = await admitted();
    const at = session?.account.company_id ?? own.account.company_id;
    if (at !== own.account.company_id) throw new Problem('other_company', at);
    session = own;
  } catch (error) {
    if (former !== undefined) await tokens.write(former);
    throw error;
  }
  for (const resume of waiting.splice(0)) resume();
  return session.account;
}

/** Reads the newest run: only an administrator of a company with migrations enabled may. */
async function admitted() {
  const { company_id = '' } = readClaims((await tokens.read())?.access_token ?? '');
  const client = new MigrationClient({
    baseUrl,
    company_id,
    tokens,
    transport,
    retry: { patienceMs: PATIENCE_MS, waitsOutThrottles: true, onWait: waits },
    signInAgain: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        report({ isSignedOut: true });
      }),
  });
  const { id, email, name } = await client.profile();
  const { runs } = await client.listRuns({ limit: 1 });
  return { client, account: { id, company_id, email, name, isNew: runs.length === 0 } };
}

/** Steps that delete what the browser keeps, before the session ends. */
const atSignOut: (() => Promise<void>)[] = [];
export const beforeSignOut = (step: () => Promise<void>): void => void atSignOut.push(step);

export async function signOut(): Promise<void> {
  for (const step of atSignOut) await step();
  await session?.client.session.logout();
}
