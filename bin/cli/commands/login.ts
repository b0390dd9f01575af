import { text as textOf } from 'node:stream/consumers';
import { MigrationClient, type TokenStore, memoryTokenStore, readClaims } from '../../client/index.ts';
import { EXIT, UsageFault } from '../faults.ts';
import type { Output } from '../output.ts';
import { askPassword, askText } from '../prompts.ts';
import { type KeptLogin, SessionFile } from '../session-file.ts';

export interface LoginOptions {
  readonly url?: string;
  readonly authUrl?: string;
  readonly company?: string;
  readonly email?: string;
  readonly passwordStdin?: boolean;
}

const DEFAULT_URL = 'http://127.0.0.1:3000';
const PATIENCE_MS = 8000;

/** Logs in, tries the session out, and only then keeps it. */
export async function login(options: LoginOptions, output: Output): Promise<number> {
  const file = new SessionFile();
  const before: Partial<KeptLogin> = { base_url: DEFAULT_URL, ...file.login() };
  const url = await given(output, '--url', options.url, 'Address of the service', before.base_url);
  const email = await given(output, '--email', options.email, 'E-mail address', before.email);
  const password = await givenPassword(output, options);
  const urls = { base_url: checkedUrl(url), auth_base_url: checkedUrl(options.authUrl ?? url) };

  const tokens = memoryTokenStore();
  await clientFor(urls, '', tokens).session.login({ email, password });
  const pair = await tokens.read();
  const named = options.company ?? readClaims(pair?.access_token ?? '').company_id;
  const company_id = await given(output, '--company', named, 'Company', before.company_id);
  await clientFor(urls, company_id, tokens).listCourses({ limit: 1 });

  file.begin({ ...urls, company_id, email });
  if (pair !== undefined) await file.write(pair);
  if (output.json) output.jsonResult({ base_url: urls.base_url, company_id, email });
  else output.result(`Logged in to ${urls.base_url} as ${email}, company ${company_id}.`);
  return EXIT.allApplied;
}

function clientFor(
  urls: { base_url: string; auth_base_url: string },
  company_id: string,
  tokens: TokenStore,
): MigrationClient {
  const { base_url: baseUrl, auth_base_url: authBaseUrl } = urls;
  return new MigrationClient({ baseUrl, authBaseUrl, company_id, tokens, retry: { patienceMs: PATIENCE_MS } });
}

/** Ends this machine's part of the session. */
export function logout(output: Output): number {
  const wasLoggedIn = new SessionFile().forget();
  if (output.json) output.jsonResult({ was_logged_in: wasLoggedIn });
  else output.result(wasLoggedIn ? 'Logged out.' : 'Nobody was logged in.');
  return EXIT.allApplied;
}

async function given(
  output: Output,
  option: string,
  value: string | undefined,
  question: string,
  initial?: string,
): Promise<string> {
  if (value !== undefined) return value;
  if (!output.interactive) throw new UsageFault(`${option} is needed where nobody can be asked`);
  return askText(question, initial);
}

async function givenPassword(output: Output, { passwordStdin = false }: LoginOptions): Promise<string> {
  if (passwordStdin) return (await textOf(process.stdin)).replace(/\r?\n$/, '');
  if (!output.interactive) throw new UsageFault('--password-stdin is needed where nobody can be asked');
  return askPassword('Password');
}

function checkedUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageFault(`${url} is not an http or https address`);
  return url.replace(/\/+$/, '');
}
