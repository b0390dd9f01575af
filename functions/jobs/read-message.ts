/** Reads messages, apart from the rest of the work: a function that only sends them carries no schema. */
import * as v from 'valibot';
import { assertReadable } from '../dynamodb/encoding.ts';
import type { RevertSubject } from '../shared/model.ts';
import type { Message } from './work.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const json = v.pipe(v.string(), v.parseJson());
const formatted = v.pipe(json, v.object({ format: v.optional(v.number()) }));

/** The messages as they are sent. Only a chunk may leave out `hop`, which is 0 then. */
const chunkBody = v.pipe(
  v.object({
    company_id: v.string(),
    import_id: v.string(),
    chunk: count,
    payload_hash: v.string(),
    hop: v.optional(count, 0),
  }),
  v.transform(({ hop: hops, ...ids }): Message => ({ kind: 'chunk', ...ids, hops })),
);
const revertBody = v.pipe(
  v.object({
    company_id: v.string(),
    revert: v.union([
      v.object({ import_id: v.string() }),
      v.object({ run_id: v.string(), dry_run: v.optional(v.literal(true)) }),
    ]),
    hop: count,
  }),
  v.transform(({ company_id, revert, hop: hops }): Message => {
    const subject: RevertSubject =
      'run_id' in revert
        ? { kind: revert.dry_run === true ? 'preview' : 'run', company_id, run_id: revert.run_id }
        : { kind: 'import', company_id, ...revert };
    return { kind: 'revert', subject, hops };
  }),
);
const erasureBody = v.pipe(
  v.object({ company_id: v.string(), erasure_id: v.string(), hop: count }),
  v.transform(({ hop: hops, ...ids }): Message => ({ kind: 'erasure', ...ids, hops })),
);
const anyBody = v.pipe(json, v.union([chunkBody, revertBody, erasureBody]));

/** `undefined` if this service did not send it. @throws TemporarilyUnavailable if a later release did */
export function messageOf(body: string): Message | undefined {
  const named = v.safeParse(formatted, body);
  if (named.success) assertReadable(named.output.format, 'A message');
  const { success, output } = v.safeParse(anyBody, body);
  return success ? output : undefined;
}
