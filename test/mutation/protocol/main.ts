/**
 * Tries every mutant of the protocol (`mutants.ts`): first in a few histories of the simulator, then with the unit tests, and one that
 * both accept in more histories. Prints each mutant that survives, and why; fails if `survivors.ts` does not list it, or if more than a
 * tenth of all survive.
 *
 *   --share 3/40    the third of forty equal shares
 *   --kind KIND     `condition of a write`, `order`, `wait`; or `if`, which are tried only so
 *   --file TEXT     of files whose name has this text
 *   --at-once N     how many at the same time
 *   --out FILE      appends a line for each mutant, and leaves out those that it has
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT } from './mutated-file.ts';
import { allMutants, type Kind, type Mutant } from './mutants.ts';
import type { Question } from './simulator.ts';
import { SURVIVORS } from './survivors.ts';

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1/1' },
    kind: { type: 'string' },
    file: { type: 'string', default: '' },
    'at-once': { type: 'string', default: String(availableParallelism()) },
    out: { type: 'string' },
  },
});

const FOLDER = import.meta.dirname;
const MOST_SURVIVORS = 0.1;
/** One that takes longer does not end. */
const LONGEST_MS = 180_000;

/** What rejects a mutant, in the order in which it is asked; `undefined` for a mutant that nothing rejects. */
type End = 'simulator' | 'unit tests' | 'more histories' | undefined;

interface Tried {
  readonly mutant: Mutant;
  readonly end: End;
}

/** What every store promises, on the table in memory; and that each write has its condition. */
const CONTRACT = 'test/kit/memory-table/contract.test.ts';
const CONDITIONS = 'test/dynamodb/conditions.test.ts';
const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs');
const tested = (...files: string[]) => [
  vitest,
  'run',
  '--config',
  join(FOLDER, 'vitest.config.ts'),
  '--bail',
  '1',
  '--reporter',
  'dot',
  ...files,
];

/** Whether these tests accept the mutant; one with which they do not end is rejected. */
function accepts(args: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: PROJECT,
      env: { ...process.env, ...env },
      stdio: 'ignore',
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

/** The folders whose unit tests a mutant of a folder is tried with, where these are not its own alone. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  imports: ['imports', 'reverts'],
  reverts: ['reverts', 'erasure'],
  jobs: ['jobs', 'reverts', 'erasure'],
};

/** One process of `simulator.ts`; another one after a mutant that does not end. */
class Simulator {
  #child: ChildProcess | undefined;

  /** Whether the histories accept the mutant. */
  accepts(question: Question): Promise<boolean> {
    const child = (this.#child ??= fork(join(FOLDER, 'simulator.ts'), { stdio: 'ignore' }));
    return new Promise((resolve) => {
      const end = (isAccepted: boolean) => {
        clearTimeout(late);
        child.removeAllListeners();
        resolve(isAccepted);
      };
      const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
      child.once('message', end).once('close', () => {
        this.#child = undefined;
        end(false);
      });
      child.send(question);
    });
  }

  stop(): void {
    this.#child?.kill();
  }
}

async function endOf({ kind, file, text }: Mutant, scratch: string, simulator: Simulator): Promise<End> {
  const MUTANT_TEXT = join(scratch, 'mutant.ts');
  writeFileSync(MUTANT_TEXT, text);
  const env = { MUTANT_FILE: file, MUTANT_TEXT };
  const alone = { ...env, MUTANT_ALONE: '1' };
  const own = file.replace('functions', 'test').replace('.ts', '.test.ts');
  const isOfWrite = kind === 'condition of a write';
  if (isOfWrite && !(await accepts(tested(CONDITIONS), env))) return 'unit tests';
  if (!(await simulator.accepts({ file, text, tries: 'few' }))) return 'simulator';
  if (!(await accepts(tested(own, CONTRACT), alone))) return 'unit tests';
  const [, folder = ''] = file.split('/');
  const folders = FOLDERS[folder] ?? [folder];
  if (!(await accepts(tested(...folders.map((each) => `test/${each}/`)), env))) return 'unit tests';
  return (await simulator.accepts({ file, text, tries: 'more' })) ? undefined : 'more histories';
}

/** Tries them one after the other. */
async function tryAll(mutants: Iterator<Mutant>, tried: Tried[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'));
  const simulator = new Simulator();
  try {
    for (let next = mutants.next(); next.done !== true; next = mutants.next()) {
      const mutant = next.value;
      const end = await endOf(mutant, folder, simulator);
      tried.push({ mutant, end });
      if (values.out !== undefined)
        appendFileSync(values.out, `${end ?? 'SURVIVES'} | ${mutant.kind} | ${mutant.name}\n`);
      if (end === undefined)
        console.log(`survives, line ${mutant.line}: ${mutant.name}\n  ${SURVIVORS[mutant.name] ?? 'NOT LISTED'}`);
    }
  } finally {
    simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [share = 1, shares = 1] = values.share.split('/').map(Number);
const before = values.out !== undefined && existsSync(values.out) ? readFileSync(values.out, 'utf8') : '';
const chosen = allMutants()
  .filter(
    ({ kind, file }) =>
      (values.kind === undefined ? kind !== 'if' : kind === values.kind) && file.includes(values.file),
  )
  .filter((_, at) => at % shares === share - 1)
  .filter(({ name }) => !before.includes(`| ${name}\n`));
const tried: Tried[] = [];
const left = chosen.values();
await Promise.all(Array.from({ length: Number(values['at-once']) }, () => tryAll(left, tried)));

const counted = (of: readonly Tried[]) => {
  const by = (wanted: End) => of.filter(({ end }) => end === wanted).length;
  return `${of.length} tried, ${of.length - by(undefined)} rejected (${by('simulator')} by the simulator, ${by('unit tests')} by unit tests, ${by('more histories')} by more histories)`;
};
for (const kind of new Set<Kind>(tried.map(({ mutant }) => mutant.kind)))
  console.log(`${kind}: ${counted(tried.filter(({ mutant }) => mutant.kind === kind))}`);
console.log(`all: ${counted(tried)}`);
const surviving = tried.filter(({ end }) => end === undefined);
const isListed = surviving.every(({ mutant }) => mutant.name in SURVIVORS);
if (!isListed || (shares === 1 && surviving.length > tried.length * MOST_SURVIVORS)) process.exitCode = 1;
