/** Properties are tried on the same examples in every run, so that a failure comes from the change; FC_SEED takes others. */
import { configureGlobal } from 'fast-check';
import { afterAll } from 'vitest';
import { deleteFreshFolders } from '../importer/command/support/files.ts';
import { limitChunks } from './chunk-limits.ts';

configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_260_101) });
afterAll(deleteFreshFolders);
/** A worker runs several files, which share the modules of the service. */
afterAll(() => limitChunks());
