/** Wrong implementations of folds, each with a seed in which a fold then says something else than its items. */
import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import type { RANDOM } from './runner/kinds.ts';
import type { Variant } from './stack.ts';

/** A change of one attribute goes to another. */
const changingElsewhere = (change: string, elsewhere: string): Variant => ({
  breakCommand: (command) =>
    command instanceof BatchExecuteStatementCommand
      ? new BatchExecuteStatementCommand({
          Statements: command.input.Statements?.map(({ Statement = '', ...rest }) => ({
            ...rest,
            Statement: Statement.replace(change, elsewhere),
          })),
        })
      : command,
});

export const FOLD_VARIANTS: readonly (readonly [string, keyof typeof RANDOM, seed: number, Variant])[] = [
  ['items that a fold covers are not sealed', 'imports', 909, changingElsewhere('SET "sealed"', 'SET "elsewhere"')],
  ['a revert leaves the fold', 'reverts', 137, changingElsewhere('REMOVE "folded"', 'REMOVE "elsewhere"')],
];
