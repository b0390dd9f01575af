/** The actions of the specification, by their names in its modules. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every action of `Next` or of an invocation, except a restore. */
export function everyAction(): string[] {
  const text = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.tla'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n');
  const bodies = [...text.matchAll(/^(?:\w*Step\(\w+\)|Next) ==\n((?: .*\n)+)/gm)].map(([, body = '']) => body);
  const named = bodies.flatMap((body) => [...body.matchAll(/([A-Z]\w+)\(/g)].map(([, action = '']) => action));
  return [...new Set(named)].filter((action) => !action.endsWith('Step'));
}

/** Those beside the protocol, in `Surroundings.tla`. */
export function actionsBeside(): string[] {
  const text = readFileSync(join(import.meta.dirname, 'traces/Surroundings.tla'), 'utf8');
  const [, names = ''] = /^OfSurroundings == \{([^}]*)\}/m.exec(text) ?? [];
  return [...names.matchAll(/\w+/g)].map(([name]) => name);
}

export function printActions(counts: ReadonlyMap<string, number>, wanted: readonly string[]): boolean {
  for (const [action, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${String(count).padStart(8)} ${action}`);
  const missing = wanted.filter((action) => !counts.has(action));
  if (missing.length > 0) console.log(`       0 ${missing.join(', ')}`);
  return missing.length === 0;
}
