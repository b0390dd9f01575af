/** The items and messages of a release, stored as files in `test/formats/VERSION`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FORMATS, unpackJson } from '../../functions/dynamodb/encoding.ts';
import type { Attributes, Key, MemoryTable } from '../kit/memory-table/memory-table.ts';

export interface Frozen {
  readonly formats: typeof FORMATS;
  readonly nowMs: number;
  readonly items: readonly Attributes[];
  readonly messages: readonly object[];
  readonly answers: unknown;
}

const IS_RELEASE = /^\d+\.\d+\.\d+$/;
const STORED = 'stored.json';
const BYTES = '$bytes';

export const folderOf = (version: string): string => join(import.meta.dirname, version);
export const releases = (): string[] => readdirSync(import.meta.dirname).filter((name) => IS_RELEASE.test(name));

export function freeze(version: string, frozen: Frozen): void {
  if (!existsSync(folderOf(version))) mkdirSync(folderOf(version));
  const text = JSON.stringify({ ...frozen, items: frozen.items.map(inText) }, null, 1);
  writeFileSync(join(folderOf(version), STORED), `${text}\n`);
}

const inText = (item: Attributes): object =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? { [BYTES]: Buffer.from(value).toString('base64') } : value,
    ]),
  );

export function thaw(version: string): Frozen {
  const text = readFileSync(join(folderOf(version), STORED), 'utf8');
  return JSON.parse(text, (_, value) => {
    const bytes: unknown = value?.[BYTES];
    return typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : value;
  }) as Frozen;
}

export function fillTable(table: MemoryTable, items: readonly Attributes[]): void {
  for (const item of items) table.write({ pk: item['pk'], sk: item['sk'] } as Key, item);
}

/** The shapes of items by kind, or of messages: names and types, form of texts, content of packed values. */
export function shapesOf(items: readonly object[]): string[] {
  return [...new Set(items.map((item) => JSON.stringify(shape(item))))].toSorted();
}

const IS_FREE = new Set(['name', 'title', 'message', 'avatar', 'email', 'password_hash', 'cursor_key', 'x', 'y']);

function shape(value: unknown, name = ''): unknown {
  if (value instanceof Uint8Array) return { packed: shape(unpackJson(value)) };
  if (Array.isArray(value)) return shapesOf(value).map((each) => JSON.parse(each) as unknown);
  if (value === null || typeof value !== 'object') return textShape(value, name);
  const members = Object.entries(value).map(([member, held]) => [form(member), shape(held, member)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function textShape(value: unknown, name: string): unknown {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  if (/^[[{]/.test(value)) return { text: shape(JSON.parse(value)) };
  return IS_FREE.has(name) ? 'string' : form(value);
}

/** A text with its words and numbers left out: `m#<id>#0` is `m#?#?`. */
const form = (text: string): string => text.replaceAll(/[\w-]{20,}/g, '?').replaceAll(/\w*[0-9]\w*/g, '?');
