import { MigrationClient, NotAuthenticated, ServiceError } from '../client/index.ts';
import { askPassword } from './prompts.ts';
import type { Output } from './output.ts';
import { type KeptLogin, SessionFile } from './session-file.ts';

export interface Connection {
  readonly client: MigrationClient;
  readonly login: KeptLogin;
}

export interface Patience {
  readonly patienceMs: number;
  readonly onWait?: (reason: string, delayMs: number) => void;
}

/** To find out whether the service is there at all. */
const FIRST_PATIENCE_MS = 8000;

/**
 * A client for whoever is logged in, tried out. At a terminal the password is asked for again where the session is over.
 *
 * @throws NotAuthenticated, ServiceUnreachable, ServiceError
 */
export async function connect(output: Output, patience: Patience): Promise<Connection> {
  const file = new SessionFile();
  const login = file.login();
  if (login === undefined) throw new NotAuthenticated('nobody is logged in');
  const probe = clientFor(login, file, {
    patienceMs: FIRST_PATIENCE_MS,
    ...(patience.onWait === undefined ? {} : { onWait: patience.onWait }),
  });
  try {
    await probe.listCourses({ limit: 1 });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (!output.interactive) throw new NotAuthenticated('the session is over');
    output.note(`The session of ${login.email} is over.`);
    await probe.session.login({ email: login.email, password: await askPassword(`Password of ${login.email}`) });
    await probe.listCourses({ limit: 1 });
  }
  return { client: clientFor(login, file, patience), login };
}

function clientFor(login: KeptLogin, tokens: SessionFile, retry: Patience): MigrationClient {
  const { base_url: baseUrl, auth_base_url: authBaseUrl, company_id } = login;
  return new MigrationClient({ baseUrl, authBaseUrl, company_id, tokens, retry });
}

const isRefusal = (error: unknown): boolean =>
  error instanceof NotAuthenticated || (error instanceof ServiceError && error.status === 401);
