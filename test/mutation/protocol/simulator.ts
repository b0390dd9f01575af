/**
 * A process that tries one mutant after the other in the simulator. Each has modules of its own, which are read once: their addresses end
 * with its number. Answers each message of `main.ts` with whether the histories are accepted.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PROJECT } from './mutated-file.ts';
import type * as simulated from './simulated.ts';

/** A file from the project's folder, and what it is to say. */
export interface Question {
  readonly file: string;
  readonly text: string;
  readonly tries: 'few' | 'more';
}

const ENTRY = pathToFileURL(join(import.meta.dirname, 'simulated.ts')).href;
const NUMBERED = /\?mutant=\d+$/;
const read = new Map<string, string>();
let mutated = { url: '', text: '' };
let count = 0;

function javascript(url: string): string {
  if (url === mutated.url) return stripTypeScriptTypes(mutated.text);
  const known = read.get(url) ?? stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
  read.set(url, known);
  return known;
}

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [number] = NUMBERED.exec(context.parentURL ?? '') ?? [];
    const isOurs = number !== undefined && resolved.url.endsWith('.ts') && !resolved.url.includes('/node_modules/');
    return isOurs ? { ...resolved, url: `${resolved.url}${number}` } : resolved;
  },
  load(url, context, next) {
    if (!NUMBERED.test(url)) return next(url, context);
    return { format: 'module', source: javascript(url.replace(NUMBERED, '')), shortCircuit: true };
  },
});

/** A call that nothing awaits, and that fails, ends a function too. */
let isLost = false;
process.on('unhandledRejection', () => (isLost = true));

process.on('message', ({ file, text, tries }: Question) => {
  mutated = { url: pathToFileURL(join(PROJECT, file)).href, text };
  isLost = false;
  count += 1;
  const response = async (): Promise<boolean> => {
    const { violation } = (await import(`${ENTRY}?mutant=${count}`)) as typeof simulated;
    return (await violation(tries)) === undefined && !isLost;
  };
  response().then(
    (isAccepted) => process.send?.(isAccepted),
    () => process.send?.(false),
  );
});
