/** Reads descriptors, each in its folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkedDescriptor, type KnownSystem } from '../engine/language/descriptor.ts';

/** The descriptors in the folders of a folder, by the names of these. @throws EngineError for one that is not valid */
export const systemsIn = (folder: string): KnownSystem[] =>
  readdirSync(folder)
    .toSorted()
    .flatMap((id) => {
      const path = join(folder, id, 'descriptor.json');
      return existsSync(path)
        ? [{ id, descriptor: checkedDescriptor(path, JSON.parse(readFileSync(path, 'utf8'))) }]
        : [];
    });
