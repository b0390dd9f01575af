/** What the engine asks of the code that knows systems (`system.ts`). */
import type { Descriptor } from '../language/descriptor.ts';
import type { Choices, KindValues, StateColumn } from '../language/findings.ts';
import type { Role } from '../lexicon/headers.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { StateCandidates } from './state-columns.ts';
import type { Suggestion } from './suggest.ts';

/** A known export, and what it says of a file. */
export interface FoundSystem extends Required<Pick<Descriptor, 'name' | 'skip'>> {
  readonly id: string;
  /** The columns of the file by what they say of a record. */
  readonly roles: ReadonlyMap<Role, ColumnProfile>;
  /** What a person would choose who knows the system; what a person did choose precedes. */
  readonly choicesWith: (given: Choices) => Choices;
  readonly candidates: (
    all: readonly ColumnProfile[],
    formatOf: (column: ColumnProfile) => string | undefined,
    choices: Choices,
  ) => StateCandidates;
  readonly suggest: (values: KindValues, state: Readonly<Record<string, StateColumn>>) => Suggestion;
}

export interface KnownSystems {
  /** Whether a table with these headers may be known. */
  readonly mayKnow: (headers: readonly string[]) => boolean;
  /** @param asked the system that a person confirmed, or `false` for none */
  readonly find: (columns: readonly ColumnProfile[], asked: Choices['system']) => FoundSystem | undefined;
}
