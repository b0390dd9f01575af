/** Long random lives of a session, as fast-check commands: one that breaks the model is cut down to a shortest one. */
import {
  type AsyncCommand,
  asyncModelRun,
  asyncProperty,
  check,
  commands,
  constant,
  defaultReportMessage,
} from 'fast-check';
import type { System } from './bench.ts';
import { type Move, MOVES, violationAfter } from './moves.ts';
import { opening, type Position } from './position.ts';

const LONGEST_LIFE = 60;

/** Where a life has got to, and by how many moves. */
interface Life {
  position: Position;
  moves: number;
}

/** Answers how many moves were made; a violation is told with the moves that led there. */
export async function liveAtRandom(
  system: System,
  lives: number,
  seed: number,
): Promise<{ moves: number; violation: string | undefined }> {
  const steps = commands(
    Object.entries(MOVES).map(([name, move]) => constant(commandOf(name, move))),
    { maxCommands: LONGEST_LIFE, size: 'max' },
  );
  let moves = 0;
  const holds = asyncProperty(steps, async (life) => {
    const model: Life = { position: await opening(system), moves: 0 };
    await asyncModelRun(() => ({ model, real: system }), life);
    moves += model.moves;
  });
  const details = await check(holds, { numRuns: lives, seed });
  return { moves, violation: defaultReportMessage(details) };
}

/** The model is a part of the position; the real thing is copied out of it at every move. */
const commandOf = (name: string, move: Move): AsyncCommand<Life, System> => ({
  check: () => true,
  run: async (life, system) => {
    const outcome = await move(life.position, system);
    if (outcome === undefined) return;
    const violation = await violationAfter(outcome, system);
    if (violation !== undefined) throw new Error(violation);
    life.position = outcome as Position;
    life.moves += 1;
  },
  toString: () => name,
});
