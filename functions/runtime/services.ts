/** Everything a handler may use, as one argument: live adapters in Lambda, fault-injecting ones in tests. */
import type { ChunkQueue, Clock, Random, Signer, Stores } from '../workflow/ports.ts';
import type { PasswordHasher } from '../workflow/passwords.ts';
import type { TokenParties, TokenVerifier } from '../workflow/tokens.ts';
import type { ChunkLimits } from '../workflow/accept-import.ts';
import type { RecordRules } from '../workflow/record-rules.ts';
import type { Telemetry } from './telemetry.ts';

export interface Services {
  readonly clock: Clock;
  readonly random: Random;
  readonly stores: Stores;
  readonly queue: ChunkQueue;
  /** Issuer and audience of our tokens. */
  readonly parties: TokenParties;
  readonly signer: Signer;
  readonly verifier: TokenVerifier;
  readonly passwords: PasswordHasher;
  readonly telemetry: Telemetry;
  /** Put in place of the record rules by tests that inject a fault of ours. */
  readonly rules?: RecordRules;
  /** Put in place of the limits of a chunk by tests that want many small ones. */
  readonly chunkLimits?: ChunkLimits;
}
