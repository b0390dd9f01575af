import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { isRunId } from '../../functions/records/identifiers.ts';
import { completionScript } from './completion.ts';
import { checkedProfile, VARIABLES } from './environment.ts';
import { EXIT } from './errors.ts';
import { UsageError } from '../importer/errors.ts';
import { EXAMPLES } from './examples.ts';
import { type ImportOptions, importFiles } from './commands/import.ts';
import { type InitMappingOptions, initMapping } from './commands/init-mapping.ts';
import { type ReportOptions, report } from './commands/report.ts';
import { SYSTEMS } from '../importer/mapping/presets.ts';
import { login, logout } from './commands/login.ts';
import { type MatchCoursesOptions, matchCourses } from './commands/match-courses.ts';
import { type ReconcileOptions, reconcile } from './commands/reconcile.ts';
import { cancelRun } from './commands/cancel.ts';
import { listImports, type ListOptions, listRuns } from './commands/list.ts';
import { type RevertOptions, revertRun } from './commands/revert.ts';
import { clientFor } from './commands/run.ts';
import { catalog } from './commands/catalog.ts';
import { type CheckUsersOptions, checkUsers } from './commands/check-users.ts';
import { type MapIdsOptions, mapCourses, mapUsers } from './commands/map-ids.ts';
import { type Output, standardOutput } from './terminal.ts';

/** Runs a command with its options and arguments; returns the exit code. */
type Action<Options> = (options: Options, output: Output, args: string[]) => Promise<number> | number;

/** Runs one command line and returns the exit code. @throws UsageError for a line that is none, and what the command throws */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.allApplied;
  const program = buildProgram((result) => {
    code = result;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Without a command, the help has been printed.
    if (error.code === 'commander.help') return EXIT.usage;
    if (error.exitCode !== 0) throw new UsageError(`${error.message}\n(--help lists commands and options)`);
    return EXIT.allApplied;
  }
  return code;
}

/** @param finish receives the exit code */
export function buildProgram(finish: (code: number) => void): Command {
  const program = new Command('course-progress-migration')
    .description('Moves the course history of a company from an old learning system to the platform.')
    .version(packageJson.version)
    .exitOverride()
    // The caller prints errors, as JSON if that is asked for.
    .configureOutput({ outputError: () => {} });

  const add = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('--json', 'print the result as JSON')
      .option('--profile <name>', 'session of its own, for another account or service');
  const run =
    <Options>(action: Action<Options>) =>
    async (...parameters: unknown[]): Promise<void> => {
      const options = parameters.at(-2) as Options & { json?: boolean; profile?: string };
      if (options.profile !== undefined) process.env[VARIABLES.profile] = checkedProfile(options.profile);
      const args = (parameters.at(-1) as Command).args;
      finish(await action(options, standardOutput(options.json === true), args));
    };

  add('login', 'log in and store the session')
    .option('--url <url>', 'address of the service')
    .option('--auth-url <url>', 'address of the authentication operations (default: the address of the service)')
    .option('--company <id>', 'company (default: the company of the account)')
    .option('--email <address>', 'account of an admin of the company')
    .option('--password-stdin', 'read the password from standard input')
    .option('--insecure', 'allow an http address beyond this machine, on which passwords are not encrypted')
    .action(run(login));
  add('logout', 'end the session, and delete it from this machine').action(run((_, output) => logout(output)));
  add('catalog', 'list the courses of the platform')
    .option('--search <words>', 'only courses with these words in a title or id')
    .option('--classes', 'also list the classes')
    .action(run(catalog));
  withFormat(add('check-users <file>', 'check that every user of a file exists with an active license'))
    .option('--column <name>', 'column with the e-mail addresses')
    .action(run((options: CheckUsersOptions, output, [file = '']) => checkUsers(file, options, output)));
  withFormat(add('map-users <file>', 'register user ids of the old system'))
    .option('--id-column <name>', 'column with the ids of the old system')
    .option('--email-column <name>', 'column with the e-mail addresses')
    .option('--dry-run', 'check only; nothing is registered')
    .option('--yes', 'register without asking')
    .action(run((options: MapIdsOptions, output, [file = '']) => mapUsers(file, options, output)));
  withFormat(add('map-courses <file>', 'register course ids of the old system'))
    .option('--id-column <name>', 'column with the ids of the old system')
    .option('--course-column <name>', 'column with the platform_course_id')
    .option('--dry-run', 'check only; nothing is registered')
    .option('--yes', 'register without asking')
    .action(run((options: MapIdsOptions, output, [file = '']) => mapCourses(file, options, output)));
  withFormat(
    add('match-courses <file>', 'find the courses of an export in the catalog; writes a table for map-courses'),
  )
    .option('--id-column <name>', 'column with the course ids of the old system')
    .option('--title-column <name>', 'column with the course titles of the old system')
    .option('--out <file>', 'table to write (default: FILE.courses.csv beside the file)')
    .option('--force', 'overwrite an existing table')
    .action(run((options: MatchCoursesOptions, output, [file = '']) => matchCourses(file, options, output)));
  withFormat(add('init-mapping <file>', 'guess what the columns of a CSV file mean and write a mapping file'))
    .option('--out <file>', 'mapping file to write (default: FILE.mapping.json beside the file)')
    .option('--force', 'overwrite an existing mapping file')
    .addOption(new Option('--system <name>', 'the system that the file comes from').choices(SYSTEMS))
    .option('--time-zone <name>', 'zone of times without one, like Europe/Madrid')
    .option('--match-courses', 'look for the courses of the file in the catalog of the platform')
    .action(
      run(async (options: InitMappingOptions & { matchCourses?: boolean }, output, [file = '']) =>
        initMapping(file, options, output, options.matchCourses === true ? await clientFor(output) : undefined),
      ),
    );
  addImport(
    withFormat(
      add(
        'import <files...>',
        'import Excel, CSV, JSON or NDJSON files, or - for standard input; after an interruption, run it again to resume',
      ),
    ),
  ).action(run((options: ImportOptions, output, files) => importFiles(files, options, output)));
  withFormat(
    add('reconcile <files...>', 'compare every row with the platform after an import, and write a page to sign'),
  )
    .option('--mapping <file>', 'what the columns mean (default: FILE.mapping.json beside the file)')
    .option('--set <member=value>', 'the same value in every record; may be repeated', collected)
    .option('--parallel <number>', 'number of comparisons at the same time', wholeNumber(1, 32), 4)
    .option('--patience <minutes>', 'how long to wait for an unreachable service', wholeNumber(0, 10_000), 30)
    .option('--out <file>', 'page to write (default: FILE.reconciled.html beside the file); the JSON is beside it')
    .action(run((options: ReconcileOptions, output, files) => reconcile(files, options, output)));
  add('imports [run]', 'list the runs, newest first, or the imports of one')
    .option('--most <number>', 'how many runs to list', wholeNumber(1, 1_000_000), 20)
    .action(
      run(async (options: ListOptions, output, [name]) => {
        const client = await clientFor(output);
        return name === undefined ? listRuns(client, options, output) : listImports(client, name, output);
      }),
    );
  add('cancel <run>', 'stop a run: what was applied stays, the rest is rejected').action(
    run(async (_, output, [name = '']) => cancelRun(await clientFor(output), name, output)),
  );
  add('revert <run>', 'take back what a run has applied; after an interruption, run it again to resume')
    .option('--dry-run', 'say what would be taken back; nothing is changed')
    .option('--yes', 'revert without asking')
    .action(
      run(async (options: RevertOptions, output, [name = '']) =>
        revertRun(await clientFor(output), name, options, output),
      ),
    );
  withFormat(add('report [import_id...]', 'show the results of earlier imports'))
    .option('--run <name>', 'the imports of this run')
    .option('--file <file>', 'file that the imports came from')
    .option('--mapping <file>', 'mapping that was used')
    .option('--rejected <file>', 'file to write the rejected rows to')
    .option(
      '--safe-for-spreadsheets',
      'in rejected rows of CSV, write an apostrophe before what a spreadsheet would run',
    )
    .action(run((options: ReportOptions, output, import_ids) => report(import_ids, options, output)));
  program
    .command('completion')
    .description('print the completion of a shell: source <(… completion bash)')
    .argument('<shell>', 'bash')
    .action((shell: string) => void process.stdout.write(completionScript(program, shell)));
  for (const command of program.commands) {
    const lines = (EXAMPLES[command.name()] ?? []).map((example) => `  ${program.name()} ${example}`);
    command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
  }
  return program;
}

function withFormat(command: Command): Command {
  const formats = ['csv', 'json', 'ndjson'];
  return command
    .addOption(new Option('--format <format>', 'format of the file (default: detected)').choices(formats))
    .option('--encoding <name>', 'utf-8, latin1, utf-16le or utf-16be (default: detected)')
    .option('--delimiter <character>', 'character between the columns (default: detected)', oneCharacter)
    .option('--sheet <name>', 'sheet of an Excel workbook (default: the first)');
}

function addImport(command: Command): Command {
  return command
    .option('--mapping <file>', 'what the columns mean (default: FILE.mapping.json beside the file)')
    .option('--set <member=value>', 'the same value in every record; may be repeated', collected)
    .option('--preview <number>', 'show the first records as they would be sent, and stop', wholeNumber(1, 10_000))
    .option('--dry-run', 'validate only; nothing is imported')
    .option('--yes', 'import after the dry run without asking')
    .option('--parallel <number>', 'number of uploads at the same time', wholeNumber(1, 32), 4)
    .option('--attempt <number>', 'a new number imports the same file again', wholeNumber(1, 1_000_000), 1)
    .option('--patience <minutes>', 'how long to wait for an unreachable service', wholeNumber(0, 10_000), 30)
    .option('--run <name>', 'name of the run, for cancel and revert (default: after the file)', runName)
    .option('--rejected <file>', 'file to write the rejected rows to')
    .option(
      '--safe-for-spreadsheets',
      'in rejected rows of CSV, write an apostrophe before what a spreadsheet would run',
    );
}

const collected = (value: string, earlier: readonly string[] = []): string[] => [...earlier, value];

function wholeNumber(lowest: number, highest: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d{1,9}$/.test(text) && number >= lowest && number <= highest) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}.`);
  };
}

/** Begins with a letter or digit, so that it never looks like an option. */
function runName(text: string): string {
  if (isRunId(text) && /^[\p{L}\p{N}]/u.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 128 characters, beginning with a letter or digit.');
}

function oneCharacter(text: string): string {
  const character = text === String.raw`\t` || text === 'tab' ? '\t' : text;
  if (character.length === 1) return character;
  throw new InvalidArgumentError('It must be one character.');
}
