/** The descriptors of known systems that everybody has. A bundle holds them as data in place of this file (`bin/build/plugins.ts`). */
import type { KnownSystem } from '../engine/language/descriptor.ts';
import { systemsIn } from './read.ts';

export const SYSTEMS: readonly KnownSystem[] = systemsIn(import.meta.dirname);
