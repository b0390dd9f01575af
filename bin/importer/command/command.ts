/** The form of a command: a file in `commands` declares its options, and derives their types from the declaration. */
import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { FORMATS } from '../engine/read/bytes.ts';
import type { TemporaryFolder } from './files/temporary.ts';
import type { Output } from './terminal.ts';

export const PROGRAM = 'course-progress-migration';

export interface CommandContext {
  readonly output: Output;
  /** Folder of the session and of the journals; each profile has its own. */
  readonly folder: string;
  /** For what the command reads from standard input. */
  readonly spool: TemporaryFolder;
}

export type RunCommand = (
  options: { readonly json?: boolean; readonly profile?: string },
  action: (context: CommandContext) => Promise<number>,
) => Promise<void>;

export interface CommandModule {
  command(run: RunCommand): CommandUnknownOpts;
}

/** The options that a command declares. One of `Read` that is not declared is `never`: a renamed flag fails. */
export type OptionsOf<Declare extends () => CommandUnknownOpts, Read = unknown> = keyof Read extends keyof ReturnType<
  ReturnType<Declare>['opts']
>
  ? ReturnType<ReturnType<Declare>['opts']>
  : never;

/** @param examples command lines for `--help`, without the name of the program */
export const plainCommand = (name: string, description: string, examples: readonly string[]) =>
  new Command(name)
    .description(description)
    .addHelpText('after', ['', 'Examples:', ...examples.map((example) => `  ${PROGRAM} ${example}`)].join('\n'));

export const serviceCommand = (name: string, description: string, examples: readonly string[]) =>
  plainCommand(name, description, examples)
    .option('--json', 'print the result as JSON')
    .option('--profile <name>', 'session of its own, for another account or service');

/** A command that reads an export; its options include all of `SourceOptions`. */
export const fileCommand = (name: string, description: string, examples: readonly string[]) =>
  serviceCommand(name, description, examples)
    .addOption(new Option('--format <format>', 'format of the file (default: detected)').choices(FORMATS))
    .option('--encoding <label>', 'any of the WHATWG standard, like windows-1251 (default: detected)')
    .option('--delimiter <character>', 'character between the columns (default: detected)', oneCharacter)
    .option('--sheet <name>', 'the one sheet of an Excel workbook that is read (default: the table)');

export const collected = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

export const wholeNumber =
  (lowest: number, highest: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d{1,9}$/.test(text) && number >= lowest && number <= highest) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}.`);
  };

function oneCharacter(text: string): string {
  const character = text === String.raw`\t` || text === 'tab' ? '\t' : text;
  if (character.length === 1) return character;
  throw new InvalidArgumentError('It must be one character.');
}
