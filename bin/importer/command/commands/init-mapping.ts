import { ownValue } from '../../engine/ground/own-value.ts';
import { jsonFile, rowsText } from '../../engine/ground/text.ts';
import { existsSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import { type CommandContext, fileCommand, type OptionsOf, type RunCommand } from '../command.ts';
import { EXIT, UsageError } from '../errors.ts';
import { choicesOf, confirmSuggestions, mappingOf, openQuestions } from '../../engine/decide/confirm.ts';
import { findKinds } from '../../engine/decide/find.ts';
import type { Choices, ConfirmedKind, Findings, Platform } from '../../engine/language/findings.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import { isTimeZone } from '../../engine/dates/time-zone.ts';
import { platformOf } from '../../engine/match/platform.ts';
import type { Source, SourceOptions } from '../../engine/read/open-source.ts';
import { knownSystems } from '../../engine/decide/system.ts';
import { SYSTEMS } from '../../systems/index.ts';
import { checkedName, ownSystems, saveSystem, systemsFolder } from '../files/own-systems.ts';
import { askAll, askProposed } from '../confirm.ts';
import { inWords, saidInWords } from '../advice.ts';
import { explanationLines, explanationOf, findingLines, findingsJson } from '../findings.ts';
import { inputFiles } from '../files/input-files.ts';
import { loadMapping, mappingBeside } from '../files/mapping-file.ts';
import { openSourceFile } from '../files/records.ts';
import { OUT_ADVICE, writeWhole } from '../files/whole-file.ts';
import { withSuggestionsOf } from '../suggester.ts';
import { proposalIn, type Proposed, withProposals } from '../../engine/decide/proposed.ts';
import { ofRun } from '../plans.ts';
import { connect, isLoggedIn } from '../session/session.ts';
import { type Output, ownCommand, printResult } from '../terminal.ts';

interface Wanted extends SourceOptions {
  readonly timeZone?: string;
}

const declared = () =>
  fileCommand(
    'init-mapping',
    'show what the rows of a file say, ask what each kind becomes, and write a mapping file',
    [
      'init-mapping history.csv --time-zone Europe/Madrid',
      'init-mapping report.xlsx --match-courses --accept-suggestions',
    ],
  )
    .argument('<files...>')
    .option('--out <file>', 'mapping file to write (default: FILE.mapping.json beside the first file)')
    .option('--force', 'forget what an existing mapping file confirms')
    .option('--time-zone <name>', 'zone of times without one, like Europe/Madrid')
    .option('--accept-suggestions', 'confirm every kind that has a suggestion, and no other')
    .addOption(
      new Option('--suggest-with <command>', 'a program that suggests what the kinds become; you confirm').conflicts(
        'acceptSuggestions',
      ),
    )
    .addOption(
      new Option(
        '--proposed <run>',
        'show what an assistant has proposed in the draft of this run; you confirm',
      ).conflicts('acceptSuggestions'),
    )
    .option('--split <columns...>', 'columns that were set aside, and say what becomes of a row')
    .option(
      '--save-system <name>',
      'know the next file of this form by that name: what is confirmed here is not asked again',
    )
    .option('--explain', 'print for each column and each kind the rule that decided, by name')
    .option(
      '--match-courses',
      'look up courses and people on the platform, or fail; without it, where there is a session',
    );

type InitMappingOptions = OptionsOf<typeof declared, Wanted>;

export const command = (run: RunCommand) =>
  declared().action((names, options) =>
    run(options, async (context) => {
      const files = await inputFiles(names, context.spool);
      const platform = await knownPlatform(context, options.matchCourses === true);
      const proposal = options.proposed === undefined ? undefined : await proposalOf(options.proposed, context);
      return initMapping(files, options, context.output, {
        platform,
        proposal,
        systems: systemsFolder(context.folder),
      });
    }),
  );

/** Without a session, or where the service cannot be reached, the file is read all the same. */
async function knownPlatform(context: CommandContext, isWanted: boolean): Promise<Platform | undefined> {
  if (!isWanted && !isLoggedIn(context)) {
    context.output.note('You are not logged in, so courses and people are not looked up.');
    return undefined;
  }
  try {
    return await platformOf((await connect(context)).client);
  } catch (error) {
    if (isWanted) throw error;
    context.output.note(`Courses and people are not looked up: ${inWords(error)}`);
    return undefined;
  }
}

/** @throws UsageError for a run without a proposal */
async function proposalOf(run_id: string, context: CommandContext) {
  const { client } = await connect(context);
  const { document } = await ofRun(run_id, client.getRun(run_id, { include: 'document' }));
  const proposal = proposalIn(document);
  if (proposal === undefined) throw new UsageError(`Nothing is proposed in run ${run_id}.`);
  return proposal;
}

interface Known {
  /** What an assistant suggests for kinds; those that are confirmed, or not in the file, are left as they are. */
  readonly proposal?: Proposed | undefined;
  /** To look up courses and people. */
  readonly platform?: Platform | undefined;
  /** The folder of the company's own descriptors. */
  readonly systems?: string;
}

/** `init-mapping FILE…`. Ends with 2 while anything is left to confirm. */
export async function initMapping(
  files: readonly string[],
  options: InitMappingOptions,
  output: Output,
  { platform, systems, proposal }: Known = {},
): Promise<number> {
  const save = saverOf(options, systems);
  const path = options.out ?? mappingBeside(files[0] ?? '');
  const known = earlierMapping(path, options);
  const sources = await opened(files, options);
  const all = knownSystems([...ownSystems(systems), ...SYSTEMS]);
  const { suggestWith } = options;
  const find = async (choices: Choices): Promise<Findings> => {
    const found = await findKinds(sources, { platform, choices, confirmed: confirmedIn(known), systems: all });
    const proposed = proposal === undefined ? found : withProposals(found, proposal, true);
    return suggestWith === undefined ? proposed : withSuggestionsOf(suggestWith, proposed);
  };
  const isAsking = canAsk(output);
  const earlier = earlierChoices(known, options);
  const first = await find(await withProposed(earlier, isAsking ? proposal : undefined));
  refuseMissing(options, first);
  const accepted = options.acceptSuggestions === true ? confirmSuggestions(first) : first;
  const findings = isAsking ? await askAll(accepted, find, output) : accepted;
  const mapping = withFormat(mappingOf(findings, saidInWords), options);
  writeWhole(path, jsonFile(mapping), OUT_ADVICE);
  const isDone = openQuestions(findings).length === 0;
  const saved = isDone ? save(mapping, sources) : [];
  const { json, lines } = explained(findings, options.explain === true);
  const found = isAsking ? [] : findingLines(findings);
  printResult(output, { ...findingsJson(findings, path), ...json }, [
    ...found,
    ...lines,
    '',
    ...saved,
    ...nextLines(files, path, mapping, findings),
  ]);
  return isDone ? EXIT.allApplied : EXIT.usage;
}

const withProposed = async (choices: Choices, proposal: Proposed | undefined): Promise<Choices> =>
  proposal === undefined ? choices : askProposed(choices, proposal);

const canAsk = ({ interactive, json }: Output): boolean => interactive && !json;

/** Saves the mapping as a system, where a name is given. @throws UsageError for a name that it cannot have */
function saverOf({ saveSystem: given }: InitMappingOptions, folder: string | undefined) {
  if (given === undefined || folder === undefined) return () => [];
  const name = checkedName(given);
  return (mapping: Mapping, sources: readonly Source[]) => saveSystem(name, mapping, sources, folder);
}

function refuseMissing({ split = [] }: InitMappingOptions, { columns }: Findings): void {
  const missing = split.find((column) => ownValue(columns, column) === undefined);
  if (missing !== undefined)
    throw new UsageError(`There is no column "${missing}" that may say what becomes of a row.`);
}

/** Nothing unless it is asked for. */
function explained(findings: Findings, isAsked: boolean) {
  if (!isAsked) return { json: {}, lines: [] };
  const explanation = explanationOf(findings);
  return { json: { explained: explanation }, lines: explanationLines(explanation) };
}

const earlierMapping = (path: string, { force }: InitMappingOptions): Mapping | undefined =>
  force !== true && existsSync(path) ? loadMapping(path) : undefined;

async function opened(files: readonly string[], options: SourceOptions): Promise<Source[]> {
  const sources: Source[] = [];
  for (const file of files) sources.push(await openSourceFile(file, options));
  return sources;
}

const confirmedIn = (known: Mapping | undefined): readonly ConfirmedKind[] => known?.kinds?.confirmed ?? [];

function earlierChoices(known: Mapping | undefined, { timeZone, split = [] }: InitMappingOptions): Choices {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new UsageError(`${timeZone} is not an IANA time zone, like Europe/Madrid.`);
  const choices = known === undefined ? {} : choicesOf(known);
  const state = { ...choices.state, ...Object.fromEntries(split.map((column) => [column, true])) };
  return { ...choices, ...(split.length === 0 ? {} : { state }), ...(timeZone === undefined ? {} : { timeZone }) };
}

const withFormat = (mapping: Mapping, { encoding, delimiter }: SourceOptions): Mapping => ({
  ...(encoding === undefined ? {} : { encoding }),
  ...(delimiter === undefined ? {} : { delimiter }),
  ...mapping,
});

function nextLines(
  files: readonly string[],
  path: string,
  { undecided, kinds }: Mapping,
  findings: Findings,
): string[] {
  const named = path === mappingBeside(files[0] ?? '') && files.length === 1 ? [] : ['--mapping', path];
  const out = named.length === 0 ? [] : ['--out', path];
  const again = (...more: readonly string[]): string => `  ${ownCommand('init-mapping', ...files, ...out, ...more)}`;
  const next = `  ${ownCommand('import', ...files, '--dry-run', ...named)}`;
  if (openQuestions(findings).length === 0) return [`Written to ${path}. Nothing is left to confirm. Next:`, next];
  if (undecided !== undefined)
    return [
      `Written to ${path}. Before ${undecided.join(', ')} is decided, nothing is imported. At a terminal run:`,
      again(),
    ];
  if (kinds?.confirmed.length !== 0) {
    const rows = findings.kinds.reduce((sum, kind) => sum + (kind.confirmed ? 0 : kind.rows), 0);
    return [
      `Written to ${path}. Rejected, because nobody has confirmed what they become: ${rowsText(rows)}. Next:`,
      next,
    ];
  }
  return findings.kinds.some(({ outcome }) => outcome !== null)
    ? [
        `Written to ${path}. Nothing is confirmed yet. Confirm at a terminal, or take every suggestion:`,
        again('--accept-suggestions'),
      ]
    : [`Written to ${path}. Nothing is confirmed yet. Confirm at a terminal:`, again()];
}
