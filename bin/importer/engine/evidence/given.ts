/** Evidence as files: what `evidence` saves, and whatever else a person may have saved of the service's responses. */
import { isObject } from '../../wire/values.ts';
import { refusal } from '../ground/errors.ts';
import { bytesAt, type InputFile, piecesOf } from '../read/bytes.ts';
import { jsonOf, utf8Of } from '../ground/text.ts';
import type { GivenResult } from './results.ts';
import type { GivenEvidence } from './verify.ts';

/** Larger files are results. */
const MOST_BYTES = 64 * 1024 * 1024;
const JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

interface ReadEvidence extends Omit<GivenEvidence, 'keys'> {
  /** Keys came with the evidence. They are not used: a forger would add the matching key. */
  readonly hasKeys: boolean;
}

interface Found {
  evidence?: string;
  hasKeys: boolean;
  imports?: unknown[];
  readonly results: GivenResults[];
}

/** A file of JSON Lines; or of one JSON value, whose results are these. */
interface GivenResults {
  readonly file: InputFile;
  readonly items?: readonly unknown[] | undefined;
}

/**
 * Each file is recognised by what it has: a compact JWS; a JSON object with `evidence`, `keys` and `imports` or some of them; a list
 * of imports; else JSON Lines of results.
 *
 * @throws EngineError without evidence
 */
export async function readEvidence(files: readonly InputFile[]): Promise<ReadEvidence> {
  const found: Found = { hasKeys: false, results: [] };
  for (const file of files) await take(found, file);
  const names = files.map(({ name }) => name);
  const { evidence, imports, results, hasKeys } = found;
  if (evidence === undefined) throw refusal('files_without_evidence', { names });
  return { evidence, imports, results: results.length === 0 ? undefined : linesOf(results), hasKeys };
}

/** The `keys` of a JWKS in a file of its own. @throws EngineError for any other file, also one with evidence */
export async function readKeys(file: InputFile): Promise<readonly unknown[]> {
  const value = await valueOf(file);
  const keys = isObject(value) && !Object.hasOwn(value, 'evidence') ? value['keys'] : undefined;
  if (Array.isArray(keys) && keys.length > 0) return keys;
  throw refusal('file_without_keys', { path: file.name });
}

/** The list of a later file takes the place of an earlier one: it is of a later day. */
async function take(known: Found, file: InputFile): Promise<void> {
  const found: Found = { hasKeys: false, results: known.results };
  const value = await valueOf(file);
  const isDocument = takeDocument(found, value);
  const items = isDocument && !isObject(value) ? undefined : resultsIn(value);
  if (!isDocument || items !== undefined) found.results.push({ file, items });
  const { hasKeys, evidence, imports } = found;
  known.hasKeys ||= hasKeys;
  if (evidence !== undefined) known.evidence = evidence;
  if (imports !== undefined) known.imports = imports;
}

async function valueOf(file: InputFile): Promise<unknown> {
  if (file.size > MOST_BYTES) return undefined;
  const text = utf8Of(await bytesAt(file, 0, file.size))?.trim() ?? '';
  return JWS.test(text) ? { evidence: text } : jsonOf(text);
}

/** Whether the value is a document, and not a result. */
function takeDocument(found: Found, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.map((each) => takeDocument(found, each)).every(Boolean);
  if (!isObject(value)) return false;
  if (Object.hasOwn(value, 'results_digest')) return takeDocument(found, { imports: [value] });
  const { evidence, jwks, keys = jwks, imports } = value;
  if (typeof evidence === 'string') found.evidence = evidence.trim();
  else takeDocument(found, evidence);
  found.hasKeys ||= keys !== undefined;
  if (imports !== undefined) (found.imports ??= []).push(...listOf(imports, 'imports'));
  return [evidence, keys, imports].some((member) => member !== undefined);
}

function listOf(value: unknown, member: string): readonly unknown[] {
  const list = isObject(value) ? value[member] : value;
  return Array.isArray(list) ? list : [];
}

/** The results in a page `{ "records": [ … ] }`, in a list of results, or of pages. */
function resultsIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => resultsIn(each) ?? [each]);
  return isObject(value) && Array.isArray(value['records']) ? value['records'] : undefined;
}

async function* linesOf(given: readonly GivenResults[]): AsyncGenerator<GivenResult> {
  for (const { file, items } of given) {
    let line = 0;
    for await (const values of items?.map((item) => [item]) ?? valuesOf(file)) {
      line += 1;
      yield* values.map((value) => ({ file: file.name, line, value }));
    }
  }
}

async function* valuesOf(file: InputFile): AsyncGenerator<readonly unknown[]> {
  for await (const text of textLines(file)) {
    const value = jsonOf(text ?? '');
    yield text?.trim() === '' ? [] : (resultsIn(value) ?? [value]);
  }
}

/** The lines of a file; `undefined` for one that is not UTF-8. */
async function* textLines(file: InputFile): AsyncGenerator<string | undefined> {
  let rest: Uint8Array[] = [];
  const lineOf = (last: Uint8Array): string | undefined => {
    const parts = [...rest, last];
    rest = [];
    const line = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    parts.reduce((at, part) => (line.set(part, at), at + part.length), 0);
    return utf8Of(line);
  };
  for await (const piece of piecesOf(file)) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      yield lineOf(piece.subarray(from, end));
      from = end + 1;
    }
    rest.push(piece.subarray(from));
  }
  yield lineOf(new Uint8Array());
}
