/** Every sequence of moves to a stated depth, breadth first; positions that were met before are not walked again. */
import { gateViolation, MOVES, nameOf, opening, type Position } from './moves.ts';
import type { Variant } from './variants.ts';

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

export async function explore(variant: Variant, depth: number): Promise<Explored> {
  const start = await opening(variant);
  const met = new Set([nameOf(start)]);
  let frontier: readonly Node[] = [{ position: start, path: [] }];
  let moves = 0;
  for (let level = 0; level < depth; level += 1) {
    const reached: Node[] = [];
    for (const node of frontier) {
      const { violation, ...next } = await movesFrom(node, variant);
      moves += next.reached.length;
      if (violation !== undefined) return { positions: met.size, moves, violation };
      reached.push(...next.reached.filter(({ position }) => isNew(met, nameOf(position))));
    }
    frontier = reached;
  }
  return { positions: met.size, moves };
}

function isNew(met: Set<string>, name: string): boolean {
  if (met.has(name)) return false;
  met.add(name);
  return true;
}

async function movesFrom({ position, path }: Node, variant: Variant) {
  const reached: Node[] = [];
  for (const [name, move] of Object.entries(MOVES)) {
    const outcome = await move(position, variant);
    if (outcome === undefined) continue;
    const here = [...path, name];
    const violation = 'violation' in outcome ? outcome.violation : await gateViolation(outcome, variant);
    if (violation !== undefined) return { reached, violation: `${here.join(', ')}: ${violation}` };
    reached.push({ position: outcome as Position, path: here });
  }
  return { reached };
}
