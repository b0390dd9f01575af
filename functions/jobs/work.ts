/** Work that outlives a request, distinguished by its `kind`, and the messages that ask for it. */
import * as v from 'valibot';
import { FORMATS, assertReadable } from '../dynamodb/encoding.ts';
import type { RevertSubject } from '../shared/model.ts';

/** One chunk of an import: ids only, so that a message never outgrows its limit nor carries personal data. */
export interface ChunkWork {
  readonly kind: 'chunk';
  readonly company_id: string;
  readonly import_id: string;
  readonly chunk: number;
  /** Hash of the payload that the chunk was accepted with. */
  readonly payload_hash: string;
}

export interface RevertWork {
  readonly kind: 'revert';
  readonly subject: RevertSubject;
}

/** The erasure of a person. Its id is random and does not say who the person is. */
export interface ErasureWork {
  readonly kind: 'erasure';
  readonly company_id: string;
  readonly erasure_id: string;
}

export type Work = ChunkWork | RevertWork | ErasureWork;

/** Asks for work, `delaySeconds` from now. `hops`: the number of messages in the chain that led to this one. */
export type Message<Kind extends Work = Work> = Kind & { readonly hops: number; readonly delaySeconds?: number };

/** The handlers of work, by kind. */
export interface WorkHandlers<Result> {
  readonly chunk: (message: Message<ChunkWork>) => Promise<Result>;
  readonly revert: (message: Message<RevertWork>) => Promise<Result>;
  readonly erasure: (message: Message<ErasureWork>) => Promise<Result>;
}

export function dispatch<Result>(message: Message, handlers: WorkHandlers<Result>): Promise<Result> {
  if (message.kind === 'chunk') return handlers.chunk(message);
  return message.kind === 'revert' ? handlers.revert(message) : handlers.erasure(message);
}

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
    revert: v.union([v.object({ import_id: v.string() }), v.object({ run_id: v.string() })]),
    hop: count,
  }),
  v.transform(({ company_id, revert, hop: hops }): Message => {
    const subject: RevertSubject =
      'run_id' in revert ? { kind: 'run', company_id, ...revert } : { kind: 'import', company_id, ...revert };
    return { kind: 'revert', subject, hops };
  }),
);
const erasureBody = v.pipe(
  v.object({ company_id: v.string(), erasure_id: v.string(), hop: count }),
  v.transform(({ hop: hops, ...ids }): Message => ({ kind: 'erasure', ...ids, hops })),
);
const anyBody = v.pipe(json, v.union([chunkBody, revertBody, erasureBody]));

/**
 * Reads the body of a message; `undefined` if this service did not send it.
 *
 * @throws TemporarilyUnavailable if a later release sent it, which will also read it
 */
export function messageOf(body: string): Message | undefined {
  const named = v.safeParse(formatted, body);
  if (named.success) assertReadable(named.output.format, 'A message');
  const { success, output } = v.safeParse(anyBody, body);
  return success ? output : undefined;
}

/** The body of a message, without the delay, which is no part of it. */
export function bodyOf(message: Message): string {
  return JSON.stringify({ ...membersOf(message), format: FORMATS.written });
}

function membersOf(message: Message): object {
  const { hops: hop } = message;
  if (message.kind === 'revert') {
    const { company_id, kind: _, ...revert } = message.subject;
    return { company_id, revert, hop };
  }
  if (message.kind === 'erasure') {
    const { company_id, erasure_id } = message;
    return { company_id, erasure_id, hop };
  }
  const { company_id, import_id, chunk, payload_hash } = message;
  return { company_id, import_id, chunk, payload_hash, ...(hop > 0 && { hop }) };
}
