import { existsSync, readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { checkedMapping, isField, type Mapping } from '../mapping/schema.ts';

/** @throws UsageError with the path of the file and every member of it that is wrong */
export function loadMapping(path: string): Mapping {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\u{feff}/u, '');
  } catch (error) {
    throw new UsageError(
      `The mapping ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
    );
  }
  return checkedMapping(path, parseJson(path, text));
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The mapping ${path} is not JSON: ${(error as Error).message}`);
  }
}

/** `history.csv` → `history.mapping.json`: where init-mapping writes and where import looks. */
export const mappingBeside = (file: string): string => `${file.replace(/\.[^./\\]*$/, '')}.mapping.json`;

/**
 * The mapping for a file: the one named, else the one beside it, else one made from columns that have the names of the
 * interface.
 *
 * @throws UsageError if there is none
 */
export function findMapping(
  file: string,
  columns: readonly string[],
  named?: string,
): { mapping: Mapping; path: string | undefined } {
  const path = named ?? (existsSync(mappingBeside(file)) ? mappingBeside(file) : undefined);
  if (path !== undefined) return { mapping: loadMapping(path), path };
  const own = columns.filter(isField);
  if (!own.includes('external_record_id')) {
    throw new UsageError(
      `There is no mapping for ${file}. Make one with "init-mapping ${file}", or name one with --mapping.`,
    );
  }
  const record = Object.fromEntries(
    own.map((name) => [name, name === 'progress.classes' ? { column: name, json: true } : name]),
  );
  return { mapping: { record }, path: undefined };
}
