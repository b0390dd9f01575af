import * as v from 'valibot';
import { readdirSync, realpathSync } from 'node:fs';
import { relative, resolve, isAbsolute } from 'node:path';
import type { MigrationClient } from '../../client/index.ts';
import type { KnownSystem } from '../../engine/language/descriptor.ts';
import { codeOf, UsageError } from '../errors.ts';
import { MOST_ROWS } from './answer.ts';

/** What the tools work with. */
export interface Workplace {
  /** Files outside of this folder are not read. */
  readonly folder: string;
  /** A client that reads and prepares only. @throws NotAuthenticated */
  readonly connected: () => Promise<MigrationClient>;
  /** Without a session, files are read all the same. */
  readonly isLoggedIn: boolean;
  readonly systems: readonly KnownSystem[];
  /** Address of a screen of the page, where a person confirms. */
  readonly page: (screen: string) => Promise<string>;
}

type ToolSchema = v.GenericSchema<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: ToolSchema;
  /** It changes nothing, neither here nor on the service. */
  readonly isReadOnly: boolean;
  /** @param input of any form: it is checked by the schema */
  readonly run: (input: unknown, workplace: Workplace) => Promise<object>;
}

interface Declared<Schema extends ToolSchema> extends Omit<Tool, 'schema' | 'run'> {
  readonly schema: Schema;
  readonly run: (input: v.InferOutput<Schema>, workplace: Workplace) => Promise<object>;
}

/** The input of `run` is that of the schema. */
export const tool = <Schema extends ToolSchema>({ run, ...declared }: Declared<Schema>): Tool => ({
  ...declared,
  run: (input, workplace) => run(v.parse(declared.schema, input), workplace),
});

export const text = (description: string) => v.pipe(v.string(), v.description(description));
const number = v.pipe(v.number(), v.integer(), v.minValue(0));
export const from = v.optional(v.pipe(number, v.description('`next` of the call before')), 0);

function filesIn(root: string): string {
  const names = readdirSync(root).filter((name) => !name.startsWith('.'));
  return `In the folder: ${names.slice(0, MOST_ROWS).join(', ')}${names.length > MOST_ROWS ? ' and more' : ''}.`;
}

/** The path of a file in the folder. @throws UsageError for any other, also by a link */
export function fileIn({ folder }: Workplace, name: string): string {
  const root = realpathSync(folder);
  let path: string;
  try {
    path = realpathSync(resolve(root, name));
  } catch (error) {
    throw new UsageError(`${name} cannot be read (${codeOf(error)}). ${filesIn(root)}`);
  }
  const inside = relative(root, path);
  if (inside.startsWith('..') || isAbsolute(inside))
    throw new UsageError(`${name} is outside of ${root}. The server reads files of that folder alone.`);
  return path;
}
