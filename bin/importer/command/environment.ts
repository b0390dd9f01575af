/** The variables of the environment, with which a script needs neither a login nor options. */
import { memoryTokenStore, readClaims, type TokenStore } from '../client/index.ts';
import { UsageError } from '../engine/errors.ts';

export const VARIABLES = {
  url: 'COURSE_PROGRESS_URL',
  authUrl: 'COURSE_PROGRESS_AUTH_URL',
  company: 'COURSE_PROGRESS_COMPANY',
  token: 'COURSE_PROGRESS_TOKEN',
  profile: 'COURSE_PROGRESS_PROFILE',
  /** Any value has the effect of `--insecure`. */
  insecure: 'COURSE_PROGRESS_INSECURE',
} as const;

export interface Login {
  readonly base_url: string;
  readonly auth_base_url: string;
  readonly company_id: string;
  readonly email: string;
}

export interface GivenSession {
  readonly login: Login;
  readonly tokens: TokenStore;
}

/** An empty variable counts as not set. */
export const fromEnvironment = (name: keyof typeof VARIABLES, environment: NodeJS.ProcessEnv = process.env) =>
  environment[VARIABLES[name]] || undefined;

/**
 * The session that the environment gives: an access token with its address, and the company that the token names unless
 * another is given. `undefined` without a token.
 *
 * @throws UsageError if the token has no address or no company, and if an address is not encrypted
 */
export function sessionFromEnvironment(environment: NodeJS.ProcessEnv = process.env): GivenSession | undefined {
  const access_token = fromEnvironment('token', environment);
  if (access_token === undefined) return undefined;
  const base_url = fromEnvironment('url', environment);
  const company_id = fromEnvironment('company', environment) ?? readClaims(access_token).company_id;
  if (base_url === undefined) throw new UsageError(`${VARIABLES.token} is set, but not ${VARIABLES.url}. Set both.`);
  if (company_id === undefined)
    throw new UsageError(`The token in ${VARIABLES.token} names no company. Set ${VARIABLES.company}.`);
  const insecure = fromEnvironment('insecure', environment) !== undefined;
  const auth_base_url = checkedUrl(fromEnvironment('authUrl', environment) ?? base_url, insecure);
  const login = {
    base_url: checkedUrl(base_url, insecure),
    auth_base_url,
    company_id,
    email: `the owner of ${VARIABLES.token}`,
  };
  return { login, tokens: memoryTokenStore({ access_token }) };
}

/** @throws UsageError if the name cannot be the name of a folder */
export function checkedProfile(name: string): string {
  if (/^[A-Za-z0-9][\w-]{0,63}$/.test(name)) return name;
  throw new UsageError(
    `"${name.slice(0, 100)}" cannot be the name of a profile. Use up to 64 letters, digits, - and _, beginning with a letter or digit.`,
  );
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
  return url.replace(/\/+$/, '');
}
