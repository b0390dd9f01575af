/** The help of each command. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { buildProgram, COMMANDS } from '../../../bin/importer/command/program.ts';

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
