/** The folder of files that the local stack can build again. `npm ci` empties it; `LOCAL_STACK_CACHE` names another folder. */
import { resolve } from 'node:path';

const DEFAULT = resolve(import.meta.dirname, '../../node_modules/.cache/course-progress-migration');

export const CACHE = process.env['LOCAL_STACK_CACHE'] ?? DEFAULT;

/** Compiled code of the stack's processes and threads. Node itself notices if a source changes. */
export const COMPILED = resolve(CACHE, 'compiled');
