/** The help of each command. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { EXIT } from '../../../bin/importer/command/errors.ts';
import { buildProgram, COMMANDS, runProgram } from '../../../bin/importer/command/program.ts';

const { commands } = await buildProgram(Object.keys(COMMANDS), async () => {});

describe.each(commands.map((command) => [command.name(), command] as const))('%s --help', (name, command) => {
  it('the help ends with examples whose options the command has', () => {
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
    const [, shown = ''] = help.split('\nExamples:\n');
    const examples = shown.trimEnd().split('\n');
    for (const example of examples) {
      expect(example.startsWith(`  course-progress-migration ${name}`)).toBe(true);
      const options = example.match(/--[a-z-]+/g) ?? [];
      expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(options));
    }
  });
});

it('each file of a command declares the command of its name', () => {
  expect(commands.map((command) => command.name())).toEqual(Object.keys(COMMANDS));
});

it.each([
  [['help', 'import'], EXIT.allApplied],
  [['import', '--help'], EXIT.allApplied],
  [[], EXIT.usage],
])('the help ends with 0 where it was asked for: %j', async (line, code) => {
  const write = [process.stdout, process.stderr].map((to) => vi.spyOn(to, 'write').mockReturnValue(true));
  try {
    expect(await runProgram(line)).toBe(code);
  } finally {
    for (const each of write) each.mockRestore();
  }
});
