/** The results of the engine for a file, in Node and in a browser alike: this file imports nothing of Node either. */
import { Notes } from '../../../../bin/importer/engine/mapping/notes.ts';
import { checkedMapping } from '../../../../bin/importer/engine/mapping/check.ts';
import { confirmSuggestions, mappingOf as confirmedMapping } from '../../../../bin/importer/engine/kinds/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/kinds/find.ts';
import { openRecords } from '../../../../bin/importer/engine/records/open-records.ts';
import { RecordSet } from '../../../../bin/importer/engine/records/record-set.ts';
import { chunkKey } from '../../../../bin/importer/engine/run/keys.ts';
import { type ImportService, sendAll } from '../../../../bin/importer/engine/run/send.ts';
import type { InputFile } from '../../../../bin/importer/engine/source/bytes.ts';
import { openSource, type SourceOptions } from '../../../../bin/importer/engine/source/open-source.ts';
import { countsOf, importOf } from '../../command/support/imports.ts';

/** How a file is imported: by a mapping, by the suggestions for its kinds, or as the records that it has. */
export interface Way {
  readonly options?: SourceOptions;
  readonly mapping?: unknown;
  readonly isPlain?: boolean;
}

/** The results that a person notices, as JSON; for a refused file the message. */
export async function resultsOf(file: InputFile, way: Way): Promise<string> {
  const results = await imported(file, way).catch((error: unknown) => ({ error: refusal(error) }));
  return JSON.stringify(results);
}

/** The runtime words the reason of a damaged archive. */
const refusal = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/(?<=damaged or incomplete) \(.*\)/, '');

async function imported(file: InputFile, way: Way) {
  const { options = {} } = way;
  const source = await openSource(file, options);
  const draft = await mappingOf(file, way);
  const chosen = { mapping: draft.mapping, path: undefined };
  const records = await openRecords(file, {
    ...options,
    ...(way.isPlain === true ? {} : { mapping: chosen }),
    mappingFor: () => chosen,
  });
  const notes = new Notes();
  const reading = new RecordSet([records], { idOf: (_, title) => title.length, countOf: () => undefined }).read({
    notes,
  });
  const sent: unknown[] = [];
  const keyOf = ({ index, digest }: { index: number; digest: string }): string =>
    chunkKey({
      company_id: 'acme',
      attempt: '1',
      run_id: 'history',
      dry_run: false,
      file: records.file.hash,
      mapping: records.mappingHash,
      index,
      digest,
    });
  const ended = sendAll({
    service: storing(sent),
    batches: reading.chunks,
    dry_run: false,
    run_id: 'history',
    keyOf,
    parallel: 2,
  });
  const imports = [];
  for await (const each of ended) imports.push(each);
  return {
    source,
    draft,
    mappingHash: records.mappingHash,
    sent,
    imports,
    counts: reading.counts(),
    notes: notes.list(),
  };
}

async function mappingOf(file: InputFile, { options = {}, mapping, isPlain = false }: Way) {
  if (isPlain) return { mapping: { record: {} }, findings: undefined };
  if (mapping !== undefined) return { mapping: checkedMapping('given', mapping), findings: undefined };
  const findings = confirmSuggestions(await findKinds([await openSource(file, options)]));
  return { mapping: confirmedMapping(findings), findings };
}

/** In place of the service: notes the requests, and accepts every import, which ends when it is followed. */
function storing(sent: unknown[]): ImportService {
  return {
    startImport: async (body, key) => {
      sent.push([key, body]);
      const started = importOf(`of-${key}`, { status: 'processing', counts: countsOf(body.records.length) });
      return { import: started, replayed: false, retryAfterSeconds: undefined };
    },
    getImport: async (import_id) => importOf(import_id),
    waitForImport: async (import_id) => importOf(import_id),
  };
}
