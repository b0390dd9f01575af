/** The company's own descriptors, in the config folder: `systems/NAME/descriptor.json`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { descriptorOf, mayBeDescribed } from '../../engine/language/descriptor-of.ts';
import type { KnownSystem } from '../../engine/language/descriptor.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import { jsonFile } from '../../engine/ground/text.ts';
import type { Source } from '../../engine/read/open-source.ts';
import { SYSTEMS } from '../../systems/index.ts';
import { systemsIn } from '../../systems/read.ts';
import { UsageError } from '../errors.ts';
import { writePrivateFile } from './config-folder.ts';

export const systemsFolder = (config: string): string => join(config, 'systems');

/** @throws EngineError for one that is not valid */
export const ownSystems = (folder: string | undefined): KnownSystem[] =>
  folder === undefined || !existsSync(folder) ? [] : systemsIn(folder).map((system) => ({ ...system, isOwn: true }));

/** @throws UsageError for a name that no folder may have, and for that of a system that everybody has */
export function checkedName(name: string): string {
  if (!/^[A-Za-z0-9][\w-]{0,63}$/.test(name))
    throw new UsageError(
      `"${name.slice(0, 100)}" cannot be the name of a system. Use up to 64 letters, digits, - and _, beginning with a letter or digit.`,
    );
  if (SYSTEMS.some(({ id }) => id === name))
    throw new UsageError(`${name} is known already, to everybody. Use another name.`);
  return name;
}

/** Replaces the one of that name. @returns lines for the person. @throws UsageError for a file that a descriptor cannot read */
export function saveSystem(name: string, mapping: Mapping, [source]: readonly Source[], folder: string): string[] {
  if (!mayBeDescribed(mapping))
    throw new UsageError(
      'Rows of this file have several courses or learners, or stand below headings: no descriptor says how to read it. Keep its mapping.',
    );
  const headers = source?.format === 'csv' ? source.columns : [];
  const path = join(folder, name, 'descriptor.json');
  writePrivateFile(path, jsonFile(descriptorOf(mapping, name, headers)));
  return [`Saved as ${path}: the next file with these columns is known as ${name}.`];
}
