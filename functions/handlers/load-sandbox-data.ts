import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PROVISIONAL_COST, scryptPasswords } from '../auth/passwords.ts';
import { directoryStore } from '../catalog/directory-store.ts';
import { deployed } from '../dynamodb/client.ts';
import { respondToCustomResource } from '../platform/custom-resource.ts';
import type { CustomResourceEvent, CustomResourceResult } from '../platform/custom-resource.ts';
import { loadData, type LoadServices } from '../platform/load-data.ts';
import { loadedFileStore } from '../platform/loaded-file-store.ts';
import { platformDataStore } from '../platform/platform-data-store.ts';
import * as ENV from '../runtime/variables.ts';
import { secureRandom, systemClock } from '../runtime/system.ts';
import { powertoolsTelemetry, type Telemetry } from '../runtime/telemetry.ts';

export interface LoadEvent extends CustomResourceEvent {
  /** Absolute path of the data file; without it, the bundled file, which has hashes in the place of passwords. */
  readonly dataFile?: string;
}

const RESOURCE_ID = 'sandbox-data';

/** A removed stack needs no work. Throws if the file cannot be read or is refused: a summary, then a line a problem. */
export async function loadSandboxData(
  event: LoadEvent,
  services: () => LoadServices & { readonly telemetry: Telemetry },
  environment: ENV.Environment,
): Promise<CustomResourceResult> {
  if (event.RequestType === 'Delete') return { PhysicalResourceId: RESOURCE_ID, Data: { status: 'kept' } };
  const file = event.dataFile ?? resolve(import.meta.dirname, ENV.variable(environment, ENV.sandboxDataFile));
  const bytes = await readDataFile(file);
  const { telemetry, ...core } = services();
  const loading: LoadServices = {
    ...core,
    onProgress: (progress) => telemetry.info('The data file is being loaded.', { ...progress }),
  };
  const outcome = await loadData(
    bytes,
    event.dataFile === undefined ? loading : { ...loading, passwords: scryptPasswords(secureRandom, PROVISIONAL_COST) },
  );
  if (outcome.status === 'refused') {
    telemetry.info('The data file was refused.', { problems: outcome.problems.join('; ') });
    throw new Error([summaryOf(file, outcome.problems.length), ...outcome.problems].join('\n'));
  }
  const counts = outcome.status === 'loaded' ? outcome.counts : {};
  telemetry.info('The data file was read.', { status: outcome.status, ...counts });
  return { PhysicalResourceId: RESOURCE_ID, Data: { status: outcome.status, ...counts } };
}

async function readDataFile(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Error(`The data file ${file} cannot be read (${code}).`, { cause: error });
  }
}

function summaryOf(file: string, problems: number): string {
  return `The data file ${file} is refused, nothing was loaded: ${problems} ${problems === 1 ? 'problem' : 'problems'}.`;
}

const services = deployed((database) => ({
  clock: systemClock,
  random: secureRandom,
  telemetry: powertoolsTelemetry(),
  passwords: scryptPasswords(secureRandom),
  stores: {
    platform: platformDataStore(database),
    directory: directoryStore(database),
    loadedFile: loadedFileStore(database),
  },
}));

export const handler = (event: LoadEvent): Promise<CustomResourceResult | undefined> =>
  respondToCustomResource(event, () => loadSandboxData(event, services, process.env));
