import { text as textOf } from 'node:stream/consumers';
import { routePath } from '../../../functions/shared/routes.ts';
import { fetchTransport, memoryTokenStore, readClaims, ServiceError, ServiceUnreachable } from '../../client/index.ts';
import { checkedUrl, fromEnvironment } from '../environment.ts';
import { EXIT } from '../errors.ts';
import { UsageError } from '../../importer/errors.ts';
import { askPassword, askText, type Output } from '../terminal.ts';
import { clientFor, type Login, SessionFile } from '../session/session.ts';

interface LoginOptions {
  readonly url?: string;
  readonly authUrl?: string;
  readonly company?: string;
  readonly email?: string;
  readonly passwordStdin?: boolean;
  /** Whether passwords and tokens may travel unencrypted beyond this machine. */
  readonly insecure?: boolean;
}

const DEFAULT_URL = 'http://127.0.0.1:3000';
const RETRY = { patienceMs: 8000 };

/** Logs in, makes a first call with the session, and only then stores it. */
export async function login(options: LoginOptions, output: Output): Promise<number> {
  const file = new SessionFile();
  const previous: Partial<Login> = { base_url: DEFAULT_URL, ...file.login() };
  const url = await given(
    output,
    '--url',
    options.url ?? fromEnvironment('url'),
    'Address of the service',
    previous.base_url,
  );
  const urls = urlsOf(url, options);
  await checkReachable(urls.base_url);
  const email = await given(output, '--email', options.email, 'E-mail address', previous.email);
  const password = await givenPassword(output, options);

  const tokens = memoryTokenStore();
  await clientFor({ ...urls, company_id: '' }, tokens, RETRY).session.login({ email, password });
  const pair = await tokens.read();
  const company = options.company ?? fromEnvironment('company') ?? readClaims(pair?.access_token ?? '').company_id;
  const company_id = await given(output, '--company', company, 'Company', previous.company_id);
  await clientFor({ ...urls, company_id }, tokens, RETRY).listCourses({ limit: 1 });

  file.begin({ ...urls, company_id, email });
  if (pair !== undefined) await file.write(pair);
  if (output.json) output.jsonResult({ base_url: urls.base_url, company_id, email });
  else output.result(`Logged in to ${urls.base_url} as ${email}, company ${company_id}.`);
  return EXIT.allApplied;
}

/** @throws UsageError for an address that cannot be used */
function urlsOf(url: string, { authUrl, insecure = fromEnvironment('insecure') !== undefined }: LoginOptions) {
  return {
    base_url: checkedUrl(url, insecure),
    auth_base_url: checkedUrl(authUrl ?? fromEnvironment('authUrl') ?? url, insecure),
  };
}

/** @throws ServiceUnreachable, before an account and a password are asked for in vain */
async function checkReachable(base_url: string): Promise<void> {
  try {
    await fetchTransport(RETRY.patienceMs)({ method: 'GET', url: base_url + routePath('get-openapi', {}) });
  } catch (error) {
    // A service that refuses the request is there.
    if (!(error instanceof ServiceError)) throw error;
  }
}

/** Ends the session on the service, then deletes it from this machine: that also where the service does not end it. */
export async function logout(output: Output): Promise<number> {
  const file = new SessionFile();
  const login = file.login();
  const problem = login && (await problemOfEnding(login, file));
  file.forget();
  if (output.json) output.jsonResult({ was_logged_in: login !== undefined, session_ended: login && !problem });
  else output.result(login === undefined ? 'You were not logged in.' : 'Logged out.');
  if (problem === undefined) return EXIT.allApplied;
  output.note(
    `The session was deleted from this machine, but the service did not end it: ${problem}. ` +
      'If somebody may have its tokens, ask the operators of the service to end the sessions of this account.',
  );
  return EXIT.service;
}

async function problemOfEnding(login: Login, file: SessionFile): Promise<string | undefined> {
  try {
    await clientFor(login, file, RETRY).session.logout();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ServiceUnreachable) return error.message;
    throw error;
  }
}

async function given(
  output: Output,
  option: string,
  value: string | undefined,
  question: string,
  initial?: string,
): Promise<string> {
  if (value !== undefined) return value;
  if (!output.interactive) throw new UsageError(`Without a terminal, ${option} is required.`);
  return askText(question, initial);
}

async function givenPassword(output: Output, { passwordStdin = false }: LoginOptions): Promise<string> {
  if (passwordStdin) return (await textOf(process.stdin)).replace(/\r?\n$/, '');
  if (!output.interactive) throw new UsageError('Without a terminal, --password-stdin is required.');
  return askPassword('Password');
}
