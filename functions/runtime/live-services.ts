/** The services of a deployed function, built from its environment on the first invocation. */
import { documentClient } from '../store/client.ts';
import { dynamoStores } from '../store/stores.ts';
import { scryptPasswords } from '../workflow/passwords.ts';
import type { ChunkQueue, Signer, SigningKeyStore } from '../workflow/ports.ts';
import type { TokenParties, TokenVerifier } from '../workflow/tokens.ts';
import { ENV } from './environment.ts';
import { powertoolsTelemetry } from './powertools-telemetry.ts';
import type { Services } from './services.ts';
import { secureRandom, systemClock } from './live-system.ts';
import { variable, type Environment } from './variable.ts';

export type ServicesSource = () => Services;

/**
 * What not every function does. Named by the function that does it, so that no other bundle carries the code:
 * `liveServices({ signer: kmsSigner })`.
 */
export interface Adapters {
  readonly signer?: (environment: Environment) => Signer;
  readonly queue?: (environment: Environment) => ChunkQueue;
  readonly verifier?: (trust: TokenParties & { readonly keys: SigningKeyStore }) => TokenVerifier;
}

/** Builds the services once, when they are first asked for. */
export function liveServices(adapters: Adapters = {}): ServicesSource {
  let services: Services | undefined;
  return () => (services ??= build(adapters, process.env));
}

function build(adapters: Adapters, environment: Environment): Services {
  const { signer = noSigner, queue = noQueue, verifier = noVerifier } = adapters;
  const stores = dynamoStores({ client: documentClient(), table: variable(environment, ENV.table) });
  // Functions that neither sign nor verify are deployed without these names, and no token matches the empty one.
  const parties = { issuer: environment[ENV.issuer] ?? '', audience: environment[ENV.audience] ?? '' };
  return {
    clock: systemClock,
    random: secureRandom,
    stores,
    queue: queue(environment),
    parties,
    signer: signer(environment),
    verifier: verifier({ ...parties, keys: stores.signingKeys }),
    passwords: scryptPasswords(secureRandom),
    telemetry: powertoolsTelemetry(),
  };
}

const missing = (what: string) => () => Promise.reject(new Error(`This function was built without ${what}.`));

const noSigner = (): Signer => ({ publicKey: missing('a signer'), sign: missing('a signer') });
const noQueue = (): ChunkQueue => ({ send: missing('a chunk queue') });
const noVerifier = (): TokenVerifier => ({
  verifyAccess: missing('a token verifier'),
  verifyRefresh: missing('a token verifier'),
});
