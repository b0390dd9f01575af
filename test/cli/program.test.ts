/** What `--help` says. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../bin/cli/examples.ts';
import { buildProgram } from '../../bin/cli/program.ts';

const { commands } = buildProgram(() => {});

describe.each(commands.map((command) => [command.name(), command] as const))('%s --help', (name, command) => {
  it('ends with examples whose options the command has', () => {
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
    const examples = EXAMPLES[name] ?? [];
    expect(help).toContain(`Examples:\n  course-progress-migration ${examples[0]}`);
    for (const example of examples) {
      const options = example.match(/--[a-z-]+/g) ?? [];
      expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(options));
      expect(example.split(' ')[0]).toBe(name);
    }
  });
});

it('no examples are of a command that does not exist', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(commands.map((command) => command.name()).toSorted());
});
