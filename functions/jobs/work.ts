import { FORMATS } from '../dynamodb/encoding.ts';
import type { PlanIds, RevertSubject } from '../shared/model.ts';

/** One chunk of an import: ids only, so that a message never outgrows its limit nor carries personal data. */
export interface ChunkWork {
  readonly kind: 'chunk';
  readonly company_id: string;
  readonly import_id: string;
  readonly chunk: number;
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

/** The application of the plan of a run. */
export interface ApplicationWork extends PlanIds {
  readonly kind: 'application';
}

/** Work of more than one invocation. */
export type SteppedWork = RevertWork | ErasureWork | ApplicationWork;
export type Work = ChunkWork | SteppedWork;

/** Asks for work, `delaySeconds` from now. `hops`: the number of messages in the chain that led to this one. */
export type Message<Kind extends Work = Work> = Kind & { readonly hops: number; readonly delaySeconds?: number };

/** The name under which the revert of an import holds the gate. */
export const importHolder = (import_id: string): string => `import#${import_id}`;

/** The name under which a revert or an erasure holds the gate of its company, and waits for it. */
export function holderName(work: RevertWork | ErasureWork): string {
  if (work.kind === 'erasure') return `erasure#${work.erasure_id}`;
  const { subject } = work;
  return subject.kind === 'import' ? importHolder(subject.import_id) : `${subject.kind}#${subject.run_id}`;
}

/** Whether a name at the gate is of an erasure: chunks need not wait for one that waits. */
export const isErasure = (name: string): boolean => name.startsWith('erasure#');

/** The work that has this name. The id of a run may contain a `#`. */
export function holderNamed(company_id: string, name: string): RevertWork | ErasureWork {
  const [kind = ''] = name.split('#', 1);
  const id = name.slice(kind.length + '#'.length);
  if (kind === 'erasure') return { kind, company_id, erasure_id: id };
  const subject: RevertSubject =
    kind === 'run' ? { kind, company_id, run_id: id } : { kind: 'import', company_id, import_id: id };
  return { kind: 'revert', subject };
}

/** The members of a body, and no others: ids only. */
const SENT = 'kind company_id import_id chunk payload_hash subject run_id erasure_id plan_id hops format'.split(' ');

/** The body of a message, without the delay, which is no part of it. */
export function bodyOf(message: Message): string {
  return JSON.stringify({ ...message, format: FORMATS.written }, SENT);
}
