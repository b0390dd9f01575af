/** Where the local stack keeps what it can make again. `npm ci` empties it. */
import { resolve } from 'node:path';

export const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/course-progress-migration');

/** Compiled code of the stack's processes and threads. Node itself notices if a source changes. */
export const COMPILED = resolve(CACHE, 'compiled');
