import * as v from 'valibot';
import type { ChunkMessage } from '../workflow/ports.ts';

const schema = v.object({
  company_id: v.string(),
  import_id: v.string(),
  chunk: v.pipe(v.number(), v.integer(), v.minValue(0)),
  payload_hash: v.string(),
});

/** Reads the body of a chunk message. Throws where it is none of ours: the message fails, and ends in the dead-letter queue. */
export function chunkMessage(body: string): ChunkMessage {
  return v.parse(schema, JSON.parse(body));
}
