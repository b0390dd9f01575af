import { enableCompileCache } from 'node:module';
import { COMPILED } from './cache.ts';

// Before all other modules are loaded: most of the time of a start goes into compiling them.
enableCompileCache(COMPILED);
await import('./command.ts');
