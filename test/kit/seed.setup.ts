/** Properties use the same examples in every run, so that a failure comes from the change; FC_SEED takes others. */
import { configureGlobal } from 'fast-check';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';
import { COMPILED } from '../../bin/local/cache.ts';
import { deleteFreshFolders } from '../importer/command/support/files.ts';
import { limitChunks } from './chunk-limits.ts';
// oxlint-disable-next-line import/no-unassigned-import -- it replaces a function of Node
import './cheap-scrypt.mjs';

/** Each worker would strip the types of a thousand modules, and compile them. */
enableCompileCache(COMPILED);
configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_260_101) });
afterAll(deleteFreshFolders);
/** A worker runs several files, which share the modules of the service. */
afterAll(() => limitChunks());
/** A worker is ended by a signal, before it would write what it has compiled. */
afterAll(() => flushCompileCache());
