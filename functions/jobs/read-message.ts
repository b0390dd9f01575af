/** Reads messages, apart from the rest of the work: a function that only sends them carries no schema. */
import * as v from 'valibot';
import { assertReadable } from '../dynamodb/encoding.ts';
import type { Message } from './work.ts';

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const ofCompany = { company_id: text };

const subject = v.variant('kind', [
  v.object({ kind: v.literal('import'), ...ofCompany, import_id: text }),
  v.object({ kind: v.picklist(['run', 'preview']), ...ofCompany, run_id: text }),
]);

const anyMessage = v.variant('kind', [
  v.object({ kind: v.literal('chunk'), ...ofCompany, import_id: text, chunk: count, payload_hash: text, hops: count }),
  v.object({ kind: v.literal('revert'), subject, hops: count }),
  v.object({ kind: v.literal('erasure'), ...ofCompany, erasure_id: text, hops: count }),
  v.object({ kind: v.literal('application'), ...ofCompany, plan_id: text, hops: count }),
]);

const json = v.pipe(text, v.parseJson());
const formatted = v.pipe(json, v.object({ format: v.optional(v.number()) }));
const message = v.pipe(json, anyMessage);

/** `undefined` if this service did not send it. @throws TemporarilyUnavailable if a later release did */
export function messageOf(body: string): Message | undefined {
  const named = v.safeParse(formatted, body);
  if (named.success) assertReadable(named.output.format, 'A message');
  const { success, output } = v.safeParse(message, body);
  return success ? output : undefined;
}
