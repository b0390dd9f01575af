import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { UsageFault } from '../faults.ts';
import { FIELD_NAMES, isField } from './fields.ts';
import { type Mapping, mappingSchema } from './schema.ts';

/** @throws UsageFault naming the file and every member of it that is wrong */
export function loadMapping(path: string): Mapping {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\u{feff}/u, '');
  } catch (error) {
    throw new UsageFault(`mapping ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
  return checkedMapping(path, parseJson(path, text));
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageFault(`mapping ${path} is not JSON: ${(error as Error).message}`);
  }
}

function checkedMapping(path: string, value: unknown): Mapping {
  const checked = v.safeParse(mappingSchema, value);
  if (checked.success) return checked.output;
  const problems = checked.issues.map((issue) => `  ${v.getDotPath(issue) ?? 'mapping'}: ${problemOf(issue)}`);
  throw new UsageFault([`mapping ${path} does not hold:`, ...new Set(problems)].join('\n'));
}

type Issue = v.BaseIssue<unknown>;

function problemOf({ type, kind, message, path, expected }: Issue): string {
  const name = String(path?.at(-1)?.key);
  const isUnknown = kind === 'schema' && type === 'strict_object' && expected === 'never';
  if (!isUnknown) return message;
  const isRecordMember = path?.some(({ key }) => key === 'record') === true;
  return isRecordMember && !isField(name)
    ? `not a member of a record; these are: ${FIELD_NAMES.join(', ')}`
    : 'not known here';
}

/** `history.csv` → `history.mapping.json`: where init-mapping writes and where import looks. */
export const mappingBeside = (file: string): string => `${file.replace(/\.[^./\\]*$/, '')}.mapping.json`;

/**
 * The mapping to use for a file: the one named, else the one beside it, else none is needed because the columns bear the
 * interface's own names.
 *
 * @throws UsageFault if there is none
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
    throw new UsageFault(
      `${file}: no mapping says what its columns mean; make one with "init-mapping ${file}", or name one with --mapping`,
    );
  }
  const record = Object.fromEntries(
    own.map((name) => [name, name === 'progress.classes' ? { column: name, json: true } : name]),
  );
  return { mapping: { record }, path: undefined };
}
