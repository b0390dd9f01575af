import { ownValue } from '../engine/ground/own-value.ts';
import { Command, CommanderError } from '@commander-js/extra-typings';
import packageJson from '../../../package.json' with { type: 'json' };
import { type CommandModule, PROGRAM, type RunCommand } from './command.ts';
import { EXIT, UsageError } from './errors.ts';
import { configFolder } from './files/config-folder.ts';
import { TemporaryFolder } from './files/temporary.ts';
import { standardOutput } from './terminal.ts';

/** In the order of `--help`. Each is loaded when it is needed: most start a third faster without the others. */
export const COMMANDS: Readonly<Record<string, () => Promise<CommandModule>>> = {
  login: () => import('./commands/login.ts'),
  logout: () => import('./commands/logout.ts'),
  courses: () => import('./commands/courses.ts'),
  people: () => import('./commands/people.ts'),
  'init-mapping': () => import('./commands/init-mapping.ts'),
  import: () => import('./commands/import.ts'),
  runs: () => import('./commands/runs.ts'),
  evidence: () => import('./commands/evidence.ts'),
  mcp: () => import('./commands/mcp.ts'),
  'verify-evidence': () => import('./commands/verify-evidence.ts'),
};

/** Returns the exit code. @throws UsageError if the line is invalid; errors of the command pass through */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.allApplied;
  const program = await buildProgram(neededBy(argv), async ({ json = false, profile }, action) => {
    const spool = new TemporaryFolder();
    try {
      code = await action({ output: standardOutput(json), folder: configFolder(profile), spool });
    } finally {
      spool.remove();
    }
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Without a command, the help has been printed; `help import` asks for it.
    if (error.code === 'commander.help') return error.exitCode === 0 ? EXIT.allApplied : EXIT.usage;
    if (error.exitCode !== 0) throw new UsageError(`${error.message}\n(--help lists commands and options)`);
    return EXIT.allApplied;
  }
  return code;
}

/** The command that a line names; the help needs all. */
function neededBy([first = '']: readonly string[]): readonly string[] {
  if (first === '--version' || first === '-V') return [];
  return Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
}

export async function buildProgram(names: readonly string[], run: RunCommand) {
  const program = new Command(PROGRAM)
    .description('Moves the course history of a company from an old learning system to the platform.')
    .version(packageJson.version)
    .exitOverride()
    // The caller prints errors, as JSON with --json.
    .configureOutput({ outputError: () => {} });
  for (const name of names) {
    const module = await ownValue(COMMANDS, name)?.();
    if (module !== undefined) program.addCommand(module.command(run).copyInheritedSettings(program));
  }
  return program;
}
