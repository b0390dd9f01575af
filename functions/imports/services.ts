import type { DirectoryStore } from '../catalog/directory-store.ts';
import type { MappingStore } from '../catalog/mapping-store.ts';
import type { Clock } from '../runtime/system.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { GateStore } from '../jobs/gate.ts';
import type { OpenWorkList } from '../jobs/open-work.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { EventBus } from '../runtime/event-bus.ts';
import type { ArchiveStore } from './archive.ts';
import type { WorkedImports } from './import-store.ts';
import type { ProgressReader, ProgressStore } from './progress-store.ts';

/** The stores that an import reads and writes. Each method throws `TemporarilyUnavailable` if the database throttles or is down. */
export interface ImportStores {
  readonly imports: WorkedImports;
  readonly archive: ArchiveStore;
  readonly progress: ProgressStore;
  readonly directory: DirectoryStore;
  readonly mappings: MappingStore;
  readonly jobs: GateStore & OpenWorkList;
}

/** The stores that planning reads, so that a dry run cannot write progress. */
export interface PlanningStores extends Pick<ImportStores, 'directory' | 'mappings'> {
  readonly progress: ProgressReader;
}

export interface ImportServices<Names extends keyof ImportStores = keyof ImportStores> {
  readonly clock: Clock;
  readonly stores: Pick<ImportStores, Names>;
  readonly queue: Pick<JobQueue, 'send'>;
  readonly events: EventBus;
  readonly telemetry: Telemetry;
}
