/** Every sequence of moves to a given depth, and long random lives: two searches for a broken promise. */
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
import { KEY_MOVES, type Move, type Outcome, violationAfter, MOVES } from './moves.ts';
import { nameOf, opening, type Position } from './position.ts';

type Moves = Readonly<Record<string, Move>>;

export interface Explored {
  readonly positions: number;
  readonly moves: number;
  /** Reported with the shortest moves that lead there. */
  readonly violation?: string;
}

interface Node {
  readonly position: Position;
  readonly path: readonly string[];
}

/** Breadth first; positions that were met before are not walked again. */
export async function explore(system: System, moves: Moves, depth: number): Promise<Explored> {
  const start = await opening(system);
  const met = new Set([nameOf(start)]);
  let frontier: readonly Node[] = [{ position: start, path: [] }];
  let made = 0;
  for (let level = 0; level < depth; level += 1) {
    const reached: Node[] = [];
    for await (const { outcome, path } of everyMove(frontier, moves, system)) {
      made += 1;
      if (!('violation' in outcome) && !isNew(met, nameOf(outcome))) continue;
      const violation = await violationAfter(outcome, system);
      if (violation !== undefined)
        return { positions: met.size, moves: made, violation: `${path.join('; ')}: ${violation}` };
      reached.push({ position: outcome as Position, path });
    }
    frontier = reached;
  }
  return { positions: met.size, moves: made };
}

async function* everyMove(frontier: readonly Node[], moves: Moves, system: System) {
  for (const { position, path } of frontier)
    for (const [name, move] of Object.entries(moves)) {
      const outcome: Outcome | undefined = await move(position, system);
      if (outcome !== undefined) yield { outcome, path: [...path, name] };
    }
}

function isNew(met: Set<string>, name: string): boolean {
  if (met.has(name)) return false;
  met.add(name);
  return true;
}

/** A life that breaks the model is cut down to a shortest one by fast-check. */
const LONGEST_LIFE = 60;

/** Where a life has got to, and by how many moves. */
interface Life {
  position: Position;
  moves: number;
}

/** Returns how many moves were made, and a violation with the moves that led there. */
export async function liveAtRandom(
  system: System,
  lives: number,
  seed: number,
): Promise<{ moves: number; violation: string | undefined }> {
  const steps = commands(
    Object.entries({ ...MOVES, ...KEY_MOVES }).map(([name, move]) => constant(commandOf(name, move))),
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
