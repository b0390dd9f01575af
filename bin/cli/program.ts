import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { catalog } from './commands/catalog.ts';
import { type CheckUsersOptions, checkUsers } from './commands/check-users.ts';
import { type ImportOptions, importFile } from './commands/import.ts';
import { type InitMappingOptions, initMapping } from './commands/init-mapping.ts';
import { login, logout } from './commands/login.ts';
import { type RegisterOptions, mapCourses, mapUsers } from './commands/register.ts';
import { type ReportOptions, report } from './commands/report.ts';
import { EXIT } from './faults.ts';
import { type Output, standardOutput } from './output.ts';

/** What each command does with its arguments, and the exit code that comes of it. */
type Action<Options> = (options: Options, output: Output, args: string[]) => Promise<number> | number;

/** Runs one command line. @throws what the command throws; usage problems have been told already */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.allApplied;
  const program = buildProgram((result) => {
    code = result;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.allApplied : EXIT.usage;
  }
  return code;
}

function buildProgram(finish: (code: number) => void): Command {
  const program = new Command('course-progress-migration')
    .description('Moves a company’s course history from an old learning system onto the platform.')
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)');

  const add = (name: string, description: string) =>
    program.command(name).description(description).option('--json', 'results as JSON');
  const run =
    <Options>(action: Action<Options>) =>
    async (...parameters: unknown[]): Promise<void> => {
      const options = parameters.at(-2) as Options & { json?: boolean };
      const args = (parameters.at(-1) as Command).args;
      finish(await action(options, standardOutput(options.json === true), args));
    };

  add('login', 'log in and keep the session')
    .option('--url <url>', 'address of the service')
    .option('--auth-url <url>', 'address of the authentication operations, where it is another')
    .option('--company <id>', 'company; the one of the account if nothing is said')
    .option('--email <address>', 'account of an admin of the company')
    .option('--password-stdin', 'read the password from standard input')
    .action(run(login));
  add('logout', 'forget the session').action(run((_, output) => logout(output)));
  add('catalog', 'list the courses of the platform')
    .option('--search <words>', 'only courses with these words in a title or id')
    .option('--classes', 'list the classes too')
    .action(run(catalog));
  withFormat(add('check-users <file>', 'do all users of a file exist with an active license?'))
    .option('--column <name>', 'column with the e-mail addresses')
    .action(run((options: CheckUsersOptions, output, [file = '']) => checkUsers(file, options, output)));
  withFormat(add('map-users <file>', 'register user ids of the old system'))
    .option('--id-column <name>', 'column with the ids of the old system')
    .option('--email-column <name>', 'column with the e-mail addresses')
    .action(run((options: RegisterOptions, output, [file = '']) => mapUsers(file, options, output)));
  withFormat(add('map-courses <file>', 'register course ids of the old system'))
    .option('--id-column <name>', 'column with the ids of the old system')
    .option('--course-column <name>', 'column with the platform_course_id')
    .action(run((options: RegisterOptions, output, [file = '']) => mapCourses(file, options, output)));
  withFormat(add('init-mapping <file>', 'guess what the columns of a CSV file mean'))
    .option('--out <file>', 'where to write the mapping; beside the file if nothing is said')
    .option('--force', 'write over a mapping that is there')
    .action(run((options: InitMappingOptions, output, [file = '']) => initMapping(file, options, output)));
  addImport(
    withFormat(add('import <file>', 'import a CSV, JSON or NDJSON file; run it again to go on after any interruption')),
  ).action(run((options: ImportOptions, output, [file = '']) => importFile(file, options, output)));
  withFormat(add('report <import_id...>', 'show the results of imports again'))
    .option('--file <file>', 'file that the imports came from')
    .option('--mapping <file>', 'mapping that was used')
    .option('--rejected <file>', 'where to write the rejected rows')
    .action(run((options: ReportOptions, output, import_ids) => report(import_ids, options, output)));
  return program;
}

function withFormat(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'kind of file, if its name and content do not tell').choices([
        'csv',
        'json',
        'ndjson',
      ]),
    )
    .option('--encoding <name>', 'utf-8, latin1, utf-16le or utf-16be, if the content does not tell')
    .option('--delimiter <character>', 'between the columns, if the header does not tell', oneCharacter);
}

function addImport(command: Command): Command {
  return command
    .option('--mapping <file>', 'what the columns mean; FILE.mapping.json beside the file if nothing is said')
    .option('--dry-run', 'only try: nothing is imported')
    .option('--yes', 'import after the dry run without asking')
    .option('--parallel <number>', 'uploads at once', wholeNumber(1, 32), 4)
    .option('--attempt <number>', 'have a file that was imported before judged anew', wholeNumber(1, 1_000_000), 1)
    .option('--patience <minutes>', 'how long to wait for a service that is away', wholeNumber(0, 10_000), 30)
    .option('--rejected <file>', 'where to write the rejected rows');
}

function wholeNumber(lowest: number, highest: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d{1,9}$/.test(text) && number >= lowest && number <= highest) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}.`);
  };
}

function oneCharacter(text: string): string {
  const character = text === String.raw`\t` || text === 'tab' ? '\t' : text;
  if (character.length === 1) return character;
  throw new InvalidArgumentError('It must be one character.');
}
