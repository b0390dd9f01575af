import type { ChunkText } from './chunk-store.ts';
import { contentHash } from '../runtime/content-hash.ts';
import { externalRecordIdOf } from '../records/identifiers.ts';
import { jsonText } from '../records/json.ts';
import { knownPartOf } from '../records/parse.ts';
import type { StagedChunk } from '../records/staged.ts';
import type { Warning } from '../shared/codes.ts';
import { CHUNK_LIMITS, MAX_RECORD_BYTES } from '../shared/limits.ts';

/** A chunk before it is stored: its records, their JSON text, and the hash of that text. */
export type PreparedChunk = ChunkText & { readonly chunk: StagedChunk };

/** Cuts a batch into chunks. Each record is serialised once: sizes, hashes and payloads derive from that text. */
export function preparedChunks(records: readonly unknown[]): PreparedChunk[] {
  const repeats = duplicatesIn(records);
  const sent = records.map(serialised);
  const tooLarge = sent.flatMap(({ bytes }, index) => (bytes > MAX_RECORD_BYTES ? [index] : []));
  const kept = sent.map((record, index) => (tooLarge.includes(index) ? idOf(record.raw) : withoutIgnored(record)));
  const sizes = kept.map(({ bytes }) => bytes);
  return chunksOf(sizes, CHUNK_LIMITS).map(({ first_index, size }) => {
    const isHere = (index: number) => index >= first_index && index < first_index + size;
    const some = kept.slice(first_index, first_index + size);
    const ignored = some.flatMap(({ warning }, at) => (warning === undefined ? [] : [[first_index + at, warning]]));
    const positions = {
      duplicates: repeats.filter(isHere),
      oversized: tooLarge.filter(isHere),
      ...(ignored.length > 0 && { ignored: Object.fromEntries(ignored) as NonNullable<StagedChunk['ignored']> }),
    };
    const texts = some.map((record) => record.text);
    const text = chunkText(first_index, texts, positions);
    const chunk = { first_index, records: some.map(({ raw }) => raw), ...positions };
    return { hash: contentHash(text), text, chunk };
  });
}

interface SerialisedRecord {
  readonly raw: unknown;
  readonly text: string;
  readonly bytes: number;
}

function serialised(raw: unknown): SerialisedRecord {
  const text = jsonText(raw);
  return { raw, text, bytes: Buffer.byteLength(text) };
}

function withoutIgnored(sent: SerialisedRecord): SerialisedRecord & { readonly warning?: Warning } {
  const { known, ignored } = knownPartOf(sent.raw);
  const [warning] = ignored;
  if (warning === undefined) return sent;
  const { bytes, ...stored } = serialised(known);
  return { ...stored, warning, bytes: bytes + Buffer.byteLength(JSON.stringify(warning)) };
}

function idOf(raw: unknown): SerialisedRecord & { readonly warning?: Warning } {
  return serialised({ external_record_id: externalRecordIdOf(raw) });
}

function chunkText(
  first_index: number,
  records: readonly string[],
  { duplicates, oversized, ignored }: Pick<StagedChunk, 'duplicates' | 'oversized' | 'ignored'>,
): string {
  const warnings = ignored === undefined ? '' : `,"ignored":${JSON.stringify(ignored)}`;
  const positions = `"duplicates":[${duplicates.join()}],"oversized":[${oversized.join()}]${warnings}`;
  return `{"first_index":${first_index},"records":[${records.join()}],${positions}}`;
}

/** Positions that repeat an id in the batch (§7.3). The first one counts, even if it is rejected. */
export function duplicatesIn(records: readonly unknown[]): number[] {
  const seen = new Set<string>();
  const repeats: number[] = [];
  for (const [index, raw] of records.entries()) {
    const id = externalRecordIdOf(raw);
    if (id === null) continue;
    if (seen.has(id)) repeats.push(index);
    seen.add(id);
  }
  return repeats;
}

/** Splits a batch, by the bytes of its records, into runs within the limits. A larger record is a run alone. */
export function chunksOf(sizes: readonly number[], limits: { readonly records: number; readonly bytes: number }) {
  const runs: { first_index: number; size: number }[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [index, recordBytes] of sizes.entries()) {
    const added = recordBytes + ','.length;
    const current = runs.at(-1);
    if (current !== undefined && current.size < limits.records && bytes + added <= limits.bytes) {
      current.size += 1;
      bytes += added;
    } else {
      runs.push({ first_index: index, size: 1 });
      bytes = added + '[]'.length;
    }
  }
  return runs;
}
