/** Public operations that sign tokens: for a password, a refresh token, a code of the identity provider, an assertion. */
import { kmsSigner } from '../auth/kms-signer.ts';
import { signingKeyStore, type PublishingSigner, type SigningKeyStore } from '../auth/signing-keys.ts';
import { partiesOf, type TokenParties } from '../auth/tokens.ts';
import { deployed, type Database } from '../dynamodb/client.ts';
import { chainServices, publicOperation } from './chain.ts';
import type { ChainServices, PublicOperation } from './types.ts';
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
