/**
 * What the workflows need from the outside: stores, a queue, a clock and randomness, all as arguments.
 * The live adapters are functions/store and functions/runtime. Every store method throws `TemporarilyUnavailable` when the
 * database throttles, times out or is down; SDK exceptions never leave the store.
 */
import type { AccessStore, LoginThrottleStore, SessionStore, SigningKeyStore } from './ports/access.ts';
import type { ImportStore } from './ports/imports.ts';
import type { PlatformDataStore } from './ports/platform.ts';
import type { DirectoryStore, MappingStore, ProgressStore } from './ports/records.ts';

export type * from './ports/access.ts';
export type * from './ports/imports.ts';
export type * from './ports/machine.ts';
export type * from './ports/platform.ts';
export type * from './ports/records.ts';

export interface Stores {
  readonly imports: ImportStore;
  readonly directory: DirectoryStore;
  readonly mappings: MappingStore;
  readonly progress: ProgressStore;
  readonly access: AccessStore;
  readonly sessions: SessionStore;
  readonly throttle: LoginThrottleStore;
  readonly signingKeys: SigningKeyStore;
  readonly platform: PlatformDataStore;
}
