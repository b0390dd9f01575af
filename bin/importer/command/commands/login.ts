import { resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { routePath } from '../../wire/values.ts';
import { fetchTransport, memoryTokenStore, readClaims, ServiceError } from '../../client/index.ts';
import { type CommandContext, type OptionsOf, type RunCommand, serviceCommand, wholeNumber } from '../command.ts';
import { EXIT, UsageError } from '../errors.ts';
import { askPassword, askText, type Output, printResult } from '../terminal.ts';
import { clientTokens, isReadByOthers, readClientKey } from '../session/client-key.ts';
import { signInByBrowser } from '../session/web-sign-in.ts';
import { clientFor, FIRST_CALL, type Login, SessionFile } from '../session/session.ts';

const declared = () =>
  serviceCommand('login', 'log in and store the session', [
    'login',
    'login --url https://history.example --email ann@acme.example --profile staging',
    'login --url https://history.example --web',
    'login --url https://history.example --client-key nightly.jwk.json',
  ])
    .option('--url <url>', 'address of the service')
    .option('--auth-url <url>', 'address of the authentication operations (default: the address of the service)')
    .option('--company <id>', 'company (default: the company of the account)')
    .option('--email <address>', 'account of an admin of the company')
    .option('--password-stdin', 'read the password from standard input')
    .option('--web', 'sign in by the identity provider of your company, in a browser on this machine')
    .option(
      '--port <number>',
      'port to which the provider sends the browser back (default: any)',
      wholeNumber(1, 65_535),
    )
    .option('--client-key <file>', 'log in as a machine: its private key, as JWK or PEM, which stays in this file')
    .option('--client-id <id>', 'client of that key (default: the client_id in the JWK)')
    .option('--insecure', 'allow an http address beyond this machine, on which passwords are not encrypted');

type LoginOptions = OptionsOf<typeof declared>;

export const command = (run: RunCommand) =>
  declared().action((options) => run(options, (context) => login(options, context)));

const DEFAULT_URL = 'http://127.0.0.1:3000';

async function login(options: LoginOptions, { output, folder }: CommandContext): Promise<number> {
  const file = new SessionFile(folder);
  const previous: Partial<Login> = { base_url: DEFAULT_URL, ...file.login() };
  const url = await given(output, '--url', options.url, 'Address of the service', previous.base_url);
  const { authUrl = url, insecure } = options;
  const urls = { base_url: checkedUrl(url, insecure), auth_base_url: checkedUrl(authUrl, insecure) };
  await checkReachable(urls.base_url);
  const into = { output, file };
  if (options.web === true) return loginByBrowser(options, urls, into);
  if (options.clientKey !== undefined) return loginAsClient(options.clientKey, options, urls, into);
  const email = await given(output, '--email', options.email, 'E-mail address', previous.email);
  const password = await givenPassword(output, options);

  const tokens = memoryTokenStore();
  await clientFor({ ...urls, company_id: '' }, tokens, FIRST_CALL).session.login({ email, password });
  const pair = await tokens.read();
  const company = options.company ?? readClaims(pair?.access_token ?? '').company_id;
  const company_id = await given(output, '--company', company, 'Company', previous.company_id);
  await clientFor({ ...urls, company_id }, tokens, FIRST_CALL).listCourses({ limit: 1 });

  file.begin({ ...urls, company_id, email });
  if (pair !== undefined) await file.write(pair);
  return loggedIn(output, { base_url: urls.base_url, company_id, email });
}

interface Into {
  readonly output: Output;
  readonly file: SessionFile;
}

async function loginByBrowser(
  { company, port }: LoginOptions,
  urls: Pick<Login, 'base_url' | 'auth_base_url'>,
  { output, file }: Into,
): Promise<number> {
  const tokens = memoryTokenStore();
  await signInByBrowser(clientFor({ ...urls, company_id: '' }, tokens, FIRST_CALL).session, { output, port });
  const pair = await tokens.read();
  const company_id = company ?? readClaims(pair?.access_token ?? '').company_id ?? '';
  const client = clientFor({ ...urls, company_id }, tokens, FIRST_CALL);
  const { email } = await client.profile();
  await client.listCourses({ limit: 1 });
  file.begin({ ...urls, company_id, email, web: true });
  if (pair !== undefined) await file.write(pair);
  return loggedIn(output, { base_url: urls.base_url, company_id, email });
}

function loggedIn(output: Output, login: Pick<Login, 'base_url' | 'company_id' | 'email'>): number {
  const { base_url, email, company_id } = login;
  printResult(output, login, [`Logged in to ${base_url} as ${email}, company ${company_id}.`]);
  return EXIT.allApplied;
}

/** The first call shows that the service takes the key. */
async function loginAsClient(
  path: string,
  { clientId, company }: LoginOptions,
  urls: Pick<Login, 'base_url' | 'auth_base_url'>,
  { output, file }: Into,
): Promise<number> {
  const { client_id = '' } = await readClientKey(path);
  const client = { client_id: clientId ?? client_id, key_file: resolve(path) };
  if (client.client_id === '') throw new UsageError(`${path} names no client_id: --client-id is required.`);
  if (isReadByOthers(path)) output.note(`Others on this machine can read ${path}. Make it yours alone: chmod 600.`);
  const tokens = memoryTokenStore();
  const granting = { ...urls, client, transport: fetchTransport(FIRST_CALL.patienceMs), now: Date.now };
  const { access_token = '' } = (await clientTokens(tokens, granting).tokens.read()) ?? {};
  const login = { ...urls, company_id: company ?? readClaims(access_token).company_id ?? '', client };
  await clientFor(login, tokens, FIRST_CALL).listCourses({ limit: 1 });
  file.begin(login);
  await file.write({ access_token });
  const { base_url, company_id } = login;
  printResult(output, { base_url, company_id, client_id: client.client_id }, [
    `Logged in to ${base_url} as client ${client.client_id}, company ${company_id}.`,
  ]);
  return EXIT.allApplied;
}

/** The names of this machine; data sent to them does not leave it. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @throws UsageError if the text is not an address, or if passwords and tokens would travel unencrypted */
export function checkedUrl(url: string, insecure = false): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${url} is not an http or https address.`);
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !LOOPBACK.test(hostname) && !insecure)
    throw new UsageError(
      `${url} is not encrypted: anyone on the way could read the password. Use https, or --insecure if you accept that.`,
    );
  return url.replace(/(?<!\/)\/+$/, '');
}

/** Called before the account and the password are asked for. @throws ServiceUnreachable */
async function checkReachable(base_url: string): Promise<void> {
  try {
    await fetchTransport(FIRST_CALL.patienceMs)({ method: 'GET', url: base_url + routePath('get-openapi', {}) });
  } catch (error) {
    // A service that refuses the request can be reached.
    if (!(error instanceof ServiceError)) throw error;
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

async function givenPassword(output: Output, { passwordStdin }: LoginOptions): Promise<string> {
  if (passwordStdin === true) return (await textOf(process.stdin)).replace(/\r?\n$/, '');
  if (!output.interactive) throw new UsageError('Without a terminal, --password-stdin is required.');
  return askPassword('Password');
}
