/** Every sequence of moves to a stated depth, breadth first; positions that were met before are not walked again. */
import type { System } from './bench.ts';
import { type Move, type Outcome, violationAfter } from './moves.ts';
import { nameOf } from './position-name.ts';
import { opening, type Position } from './position.ts';

type Moves = Readonly<Record<string, Move>>;

export interface Explored {
  readonly positions: number;
  readonly moves: number;
  /** Told with the moves that led there; a shortest one. */
  readonly violation?: string;
}

interface Node {
  readonly position: Position;
  readonly path: readonly string[];
}

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
