/** Builds of other releases for the simulator: bundles of `test/simulation/build.ts`, with or without edits. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, build } from 'esbuild';
import { Dice } from '../kit/dice.ts';
import { randomFaults } from '../simulation/faults.ts';
import type { RunOptions } from '../simulation/run.ts';
import type { Build } from '../simulation/services.ts';
import type { Variant } from '../simulation/stack.ts';
import { planWorkload } from '../simulation/plan-workload.ts';
import { randomWorkload, revertWorkload, type Workload } from '../simulation/workload.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A change of one file: its path, the text that is replaced, and the new text. */
export type Edit = readonly [file: string, from: string, to: string];

/** Bundles a build; packages stay imports. */
export async function writeBuild(outfile: string, edits: readonly Edit[] = []): Promise<void> {
  await build({
    entryPoints: [join(ROOT, 'test/simulation/build.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    minifyWhitespace: true,
    minifySyntax: true,
    charset: 'utf8',
    logLevel: 'error',
    plugins: [editing(edits)],
  });
}

/** The build of this source with edits. It is bundled beside this file, so that it finds its packages. */
export async function editedBuild(edits: readonly Edit[]): Promise<Build> {
  const folder = mkdtempSync(join(import.meta.dirname, '.build-'));
  try {
    const outfile = join(folder, 'build.js');
    await writeBuild(outfile, edits);
    return (await import(pathToFileURL(outfile).href)) as Build;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const formerBuild = async (version: string): Promise<Build> =>
  (await import(pathToFileURL(join(import.meta.dirname, version, 'build.js')).href)) as Build;

/** @throws Error if the file does not contain the text to replace, because the edit would test nothing */
function editing(edits: readonly Edit[]): Plugin {
  return {
    name: 'edits',
    setup(bundling) {
      bundling.onLoad({ filter: /[\\/]functions[\\/].*\.ts$/ }, ({ path }) => {
        const file = relative(join(ROOT, 'functions'), path);
        const own = edits.filter(([edited]) => edited === file);
        let contents = readFileSync(path, 'utf8');
        for (const [, from, to] of own) {
          if (!contents.includes(from)) throw new Error(`${file} does not contain ${JSON.stringify(from)}.`);
          contents = contents.replaceAll(from, to);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** Invocations after which a run has seen every phase. */
const LONGEST_PHASES = 60;
const STREAM = 55_000;

/**
 * A stack that is brought from one build to the other and back: the former, both, the latter, both, the former.
 * The phases change at random invocations; while both run, each invocation has either.
 */
export function mixed(former: Build, latter: Build): Variant {
  return {
    buildOf: (seed, invocation) => {
      const dice = new Dice(seed, STREAM);
      const switches = Array.from({ length: 4 }, () => dice.below(LONGEST_PHASES)).toSorted((a, b) => a - b);
      const phase = switches.filter((at) => at <= invocation).length;
      const isLatter = phase === 2 || (phase % 2 === 1 && new Dice(seed, STREAM + invocation).oneIn(2));
      return isLatter ? latter : former;
    },
  };
}

const OWN_WORK = new Set(['process', 'watchdog']);

/** Requests are answered by one build, and what the service does by itself is done by the other. */
export const divided = (asked: Build, worked: Build): Variant => ({
  buildOf: (_, __, kind) => (OWN_WORK.has(kind) ? worked : asked),
});

/** Each invocation has the other build than the one before it. */
export const alternating = (former: Build, latter: Build): Variant => ({
  buildOf: (_, invocation) => (invocation % 2 === 0 ? former : latter),
});

const MOST_FAULTS = 4;
const HORIZON = 150;

/** A schedule of both builds, with few faults: imports, reverts, and plans whose dry runs, making and application meet either. */
export function mixedOptions(seed: number, variant: Variant, workload = mixedWorkload(seed)): RunOptions {
  return { seed, workload, faults: randomFaults(seed, MOST_FAULTS, HORIZON), variant };
}

function mixedWorkload(seed: number): Workload {
  const kinds = [() => revertWorkload(seed, 4), () => planWorkload(seed), () => randomWorkload(seed)];
  return kinds[seed % kinds.length]?.() ?? randomWorkload(seed);
}
