/**
 * Runs every `@example` of the record rules and of the client, and compares each value with the one that it shows. An
 * example may use whatever its folder exports. Costs a second.
 *
 * Its lines are statements; one that ends in `// => value` is an expression and the value that it has:
 *
 *     const course = { platform_course_id: 101, title: 'Fire safety', has_exam: false, classes: [] };
 *     derivedPct(2, 3); // => 66.67
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as client from '../../bin/importer/client/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['functions/records', 'bin/importer/client'];

interface Example {
  /** Name of the function that it belongs to. */
  readonly name: string;
  readonly lines: readonly string[];
}

const DOCUMENTED =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export )?(?:async )?(?:function\*? |const |class |readonly )?(\w+)/g;
const TAG = /^@(\w+)/;
const FENCE = /^```/;

function examplesIn(source: string): Example[] {
  return [...source.matchAll(DOCUMENTED)].flatMap(([, comment = '', name = '']) => {
    const examples: string[][] = [];
    let isExample = false;
    for (const line of comment.split('\n').map((each) => each.replace(/^\s*\* ?/, '').trimEnd())) {
      const [, tag] = TAG.exec(line) ?? [];
      if (tag !== undefined) isExample = tag === 'example';
      if (tag === 'example') examples.push([]);
      else if (isExample && !FENCE.test(line)) examples.at(-1)?.push(line);
    }
    return examples.map((lines) => ({ name, lines }));
  });
}

const SHOWN = /^(.*;)?\s*\/\/ => (.*)$/;
const SHOWN_FURTHER = /^\s*\/\/\s{2,}(.*)$/;

/** A statement ends at a line that is not indented and ends in a semicolon. */
function programOf(lines: readonly string[]): string {
  const program: string[] = [];
  let statement = '';
  for (const line of lines) {
    const [shown, code = '', value] = SHOWN.exec(line) ?? [];
    const [, further] = SHOWN_FURTHER.exec(line) ?? [];
    if (shown !== undefined) {
      program.push(`compare(await (${(statement + code).replace(/;\s*$/, '')}), (${value}\n));`);
      statement = '';
    } else if (further !== undefined) {
      program.push((program.pop() ?? '').replace(/\n\)\);$/, `\n${further}\n));`));
    } else {
      statement += `${line}\n`;
      if (!/^\S.*;$/.test(line)) continue;
      program.push(statement);
      statement = '';
    }
  }
  return program.join('\n');
}

type Names = Readonly<Record<string, unknown>>;
type Program = (...values: unknown[]) => Promise<void>;
const AsyncFunction = (async () => undefined).constructor as new (...parameters: string[]) => Program;

/** The values that an example has, each with the one that it shows. */
async function comparisonsOf(lines: readonly string[], names: Names): Promise<[value: unknown, shown: unknown][]> {
  const comparisons: [unknown, unknown][] = [];
  const scope: Names = { ...names, compare: (value: unknown, shown: unknown) => comparisons.push([value, shown]) };
  const run = new AsyncFunction(...Object.keys(scope), `'use strict'; {\n${programOf(lines)}\n}`);
  await run(...Object.values(scope));
  return comparisons;
}

const filesOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

it('each function that the client exports has an example', () => {
  const shown = filesOf('bin/importer/client').flatMap((file) =>
    examplesIn(readFileSync(join(ROOT, 'bin/importer/client', file), 'utf8')),
  );
  const names = Object.entries(client).flatMap(([name, { prototype }]) => (prototype instanceof Error ? [] : [name]));
  expect(names.filter((name) => !shown.some((each) => each.name === name))).toEqual([]);
});

describe.each(FOLDERS)('%s', async (folder) => {
  const files = filesOf(folder);
  const modules = await Promise.all(files.map(async (file): Promise<Names> => import(join(ROOT, folder, file))));
  const names = Object.assign({}, ...modules) as Names;
  const examples = files.flatMap((file, at) =>
    examplesIn(readFileSync(join(ROOT, folder, file), 'utf8')).map((each) => ({ ...each, file, own: modules[at] })),
  );

  it.each(examples)('the example of $name in $file has the values that it shows', async ({ lines, own }) => {
    const comparisons = await comparisonsOf(lines, { ...names, ...own });
    expect(comparisons).not.toEqual([]);
    for (const [value, shown] of comparisons) expect(value).toEqual(shown);
  });

  it('the file has no example that is not run', () => {
    const tags = files.flatMap((file) => [
      ...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(/^\s*\* @example/gm),
    ]);
    expect(examples).toHaveLength(tags.length);
  });
});
