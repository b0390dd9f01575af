/** Public operations that sign tokens: for a password, a refresh token, a code of the identity provider, an assertion. */
import { kmsSigner } from '../auth/kms-signer.ts';
import type { LoginOutcome } from '../auth/login.ts';
import { signingKeyStore, type PublishingSigner, type SigningKeyStore } from '../auth/signing-keys.ts';
import { partiesOf, type TokenParties } from '../auth/tokens.ts';
import { deployed, type Database } from '../dynamodb/client.ts';
import { chainServices, publicOperation } from './chain.ts';
import { RequestRejected } from './types.ts';
import type { ApiResponse, ChainServices, LogSubject, PublicOperation } from './types.ts';
import { countWithPoints } from '../runtime/metrics.ts';
import type { Environment } from '../runtime/variables.ts';

interface Issuing {
  readonly parties: TokenParties;
  readonly signer: PublishingSigner;
  readonly stores: { readonly signingKeys: SigningKeyStore };
}

type Built<Own> = (database: Database, environment: Environment, chain: ChainServices) => Own;

/** `own`: what the operation needs beside the signer. */
export function issuingOperation<Own extends { readonly stores: object }>(
  own: Built<Own>,
  operation: PublicOperation<ChainServices & Issuing & Own>,
) {
  const services = deployed((database, environment) => {
    const chain = chainServices();
    const built = own(database, environment, chain);
    return {
      ...chain,
      parties: partiesOf(environment),
      signer: kmsSigner(environment, chain),
      ...built,
      stores: { signingKeys: signingKeyStore(database), ...built.stores },
    };
  });
  return publicOperation<ChainServices & Issuing & Own>(services, operation);
}

const COUNTED = {
  success: 'LoginsSucceeded',
  unauthorized: 'LoginsRefused',
  throttled: 'LoginsThrottled',
} as const;

interface Refusal {
  /** Shows no reason. */
  readonly unauthorized: string;
  readonly throttled: string;
  /** Who tried it, for the log. */
  readonly subject: LogSubject | undefined;
}

/** Counts the outcome. @throws RequestRejected 401 or 429 */
export async function loginResponse(
  outcome: LoginOutcome,
  telemetry: Parameters<typeof countWithPoints>[0],
  refusal: () => Refusal | Promise<Refusal>,
): Promise<ApiResponse> {
  countWithPoints(telemetry, COUNTED[outcome.kind]);
  if (outcome.kind === 'success') {
    const { tokens, session_id, user } = outcome;
    const subject = { user_id: user.user_id, session_id, company_id: user.company_id };
    return { statusCode: 201, body: tokens, subject };
  }
  const { unauthorized, throttled, subject } = await refusal();
  if (outcome.kind === 'unauthorized') throw new RequestRejected('unauthorized', unauthorized, { subject });
  const { retryAfterSeconds } = outcome;
  throw new RequestRejected('too_many_requests', throttled, { retryAfterSeconds, subject });
}
