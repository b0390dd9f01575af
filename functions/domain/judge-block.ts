import * as v from 'valibot';
import { blockProblems, invalid } from './block-problems.ts';
import type { Problem } from './codes.ts';
import { isObject } from './json-object.ts';
import type { BlockName } from './record-blocks.ts';

/** One block, judged alone: its value if it was sent and is well-formed, its problems if it is not; neither if it is absent. */
export interface JudgedBlock<Block> {
  readonly problems: readonly Problem[];
  readonly value?: Block;
}

type BlockSchema = v.GenericSchema<unknown, Record<string, unknown>>;

/**
 * @param read turns the schema's output into the domain's form
 * @param missing what else the block must hold, which a schema of single members cannot say
 */
export function judgeBlock<const Schema extends BlockSchema, Block>(
  name: BlockName,
  sent: unknown,
  schema: Schema,
  read: (output: v.InferOutput<Schema>) => Block,
  missing: (sent: Readonly<Record<string, unknown>>) => readonly Problem[] = () => [],
): JudgedBlock<Block> {
  if (sent === undefined || sent === null) return { problems: [] };
  if (!isObject(sent)) return { problems: [invalid(name, 'must be an object')] };
  const judged = v.safeParse(schema, sent, { abortPipeEarly: true });
  const problems = [...blockProblems(name, judged.issues ?? []), ...missing(sent)];
  return judged.success && problems.length === 0 ? { problems, value: read(judged.output) } : { problems };
}
