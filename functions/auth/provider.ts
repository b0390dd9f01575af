/** Exchanges a code of the identity provider for who signed in (OpenID Connect Core 1.0, section 3.1), by openid-client. */
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import {
  AuthorizationResponseError,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  allowInsecureRequests,
  authorizationCodeGrant,
  customFetch,
  enableNonRepudiationChecks,
  type ClientAuth,
} from 'openid-client';
import {
  boundedFetch,
  remembered,
  rememberedDocument,
  type BoundedFetch,
  type ProviderDocument,
  type SignInSettings,
} from './provider-document.ts';
import { PATIENT_CLIENT, TemporarilyUnavailable, dependencyFault } from '../runtime/faults.ts';
import type { Clock } from '../runtime/system.ts';

/** What the client has after the provider sent the person back. It has compared `state` and `iss`. */
export interface SignInCode {
  readonly code: string;
  readonly code_verifier: string;
  readonly nonce: string;
  readonly redirect_uri: string;
}

/** Who signed in, by the provider: `sub` never changes, the address may. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly sub: string;
  readonly email: string;
}

type Exchanged = { readonly identity: ProviderIdentity } | { readonly refused: string };

export interface IdentityProvider {
  /** `refused` says why, in a word for the log. @throws TemporarilyUnavailable if the provider does not respond */
  readonly exchange: (sent: SignInCode) => Promise<Exchanged>;
}

interface ProviderOptions {
  readonly clock: Clock;
  readonly secret?: () => Promise<string>;
  readonly fetch?: BoundedFetch;
}

export function identityProvider(
  settings: SignInSettings,
  { clock, secret, fetch = boundedFetch(settings.issuer) }: ProviderOptions,
): IdentityProvider {
  const document = rememberedDocument(settings.issuer, fetch, clock);
  let known: Configured | undefined;
  /** The same for the same document and secret: it remembers the keys of the provider. */
  const configured = async (): Promise<Configuration> => {
    const of = { document: await document(), secret: await secret?.() };
    if (known?.document !== of.document || known.secret !== of.secret)
      known = { ...of, configuration: configurationOf(settings, of, fetch) };
    return known.configuration;
  };
  return {
    async exchange({ code, code_verifier, nonce, redirect_uri }) {
      const configuration = await configured();
      const returned = new URL(redirect_uri);
      returned.search = new URLSearchParams({ code, iss: settings.issuer }).toString();
      try {
        const checks = { pkceCodeVerifier: code_verifier, expectedNonce: nonce, idTokenExpected: true };
        const tokens = await authorizationCodeGrant(configuration, returned, checks, { redirect_uri });
        return identityIn(tokens.claims() ?? {}, settings);
      } catch (error) {
        return { refused: refusalOf(error) };
      }
    },
  };
}

interface Configured {
  readonly document: ProviderDocument;
  readonly secret: string | undefined;
  readonly configuration: Configuration;
}

function configurationOf(
  { issuer, client_id }: SignInSettings,
  { document, secret }: Pick<Configured, 'document' | 'secret'>,
  fetch: BoundedFetch,
): Configuration {
  const configuration = new Configuration({ ...document }, client_id, {}, authenticationBy(document, secret));
  configuration[customFetch] = fetch;
  // The signature of the ID token is verified as well, although it comes from the provider itself.
  enableNonRepudiationChecks(configuration);
  if (issuer.startsWith('http:')) allowInsecureRequests(configuration);
  return configuration;
}

/** By default as RFC 6749, section 2.3.1, recommends. */
function authenticationBy(document: ProviderDocument, secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  const { token_endpoint_auth_methods_supported: methods } = document;
  return methods?.includes('client_secret_basic') === false ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

const MAX_SUB_LENGTH = 255;

/** An address that the provider calls unverified is never taken, whatever the settings are. */
function identityIn(
  { sub, email, email_verified }: Readonly<Record<string, unknown>>,
  { issuer, unverified_email }: SignInSettings,
): Exchanged {
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUB_LENGTH) return { refused: 'sub' };
  if (typeof email !== 'string') return { refused: 'email' };
  const isTaken = email_verified === true || (unverified_email === true && email_verified === undefined);
  return isTaken ? { identity: { issuer, sub, email } } : { refused: 'email_verified' };
}

/** @throws the error, if it is of no response of the provider */
function refusalOf(error: unknown): string {
  const outage = outageIn(error);
  if (outage !== undefined) throw outage;
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) return plain(error.error);
  if (error instanceof WWWAuthenticateChallengeError) return 'invalid_client';
  if (error instanceof ClientError) return error.code ?? 'invalid_response';
  throw error;
}

/** The library wraps what its `fetch` throws. */
function outageIn(error: unknown): TemporarilyUnavailable | undefined {
  if (error instanceof TemporarilyUnavailable) return error;
  return error instanceof Error && error.cause !== undefined ? outageIn(error.cause) : undefined;
}

/** Codes of RFC 6749; any other text of a provider is not logged. */
const plain = (code: string): string => (/^[a-z_]{1,40}$/.test(code) ? code : 'error');

const SECRET_MS = 300_000;

/** The provider of the settings, with the secret of the client from SSM, remembered for five minutes. */
export function deployedProvider(settings: SignInSettings, clock: Clock): IdentityProvider {
  const { client_secret_parameter: Name } = settings;
  if (Name === undefined) return identityProvider(settings, { clock });
  const client = new SSMClient(PATIENT_CLIENT);
  return identityProvider(settings, { clock, secret: remembered(() => secretIn(client, Name), SECRET_MS, clock) });
}

async function secretIn(client: Pick<SSMClient, 'send'>, Name: string): Promise<string> {
  const command = new GetParameterCommand({ Name, WithDecryption: true });
  const { Parameter } = await client.send(command).catch((error: unknown) => {
    throw dependencyFault(error, 'The parameter store');
  });
  if (!Parameter?.Value) throw new Error('The parameter with the secret of the client is empty.');
  return Parameter.Value;
}
