import { STATES } from '../../importer/reconcile/compare.ts';
import { type Reconciliation, reconciliationPage } from '../../importer/reconcile/page.ts';
import { compareAll } from '../../importer/reconcile/reconcile.ts';
import { surveyOf } from '../../importer/run/survey.ts';
import { grouped } from '../../importer/text.ts';
import {
  type CommandContext,
  collected,
  fileCommand,
  type OptionsOf,
  type RunCommand,
  wholeNumber,
} from '../command.ts';
import { EXIT } from '../errors.ts';
import type { RecordFileOptions } from '../files/records.ts';
import { checkWritable, OUT_ADVICE, withoutExtension } from '../files/paths.ts';
import { writeWhole } from '../files/whole-file.ts';
import { whileCounting, whileMetered } from '../progress/display.ts';
import { Meter } from '../progress/meter.ts';
import { openFiles } from '../open-files.ts';
import { table, printResult } from '../terminal.ts';

const declared = () =>
  fileCommand('reconcile', 'compare every row with the platform after an import, and write a page to sign', [
    'reconcile history.csv --out signed.html',
  ])
    .argument('<files...>')
    .option('--mapping <file>', 'what the columns mean (default: FILE.mapping.json beside the file)')
    .option('--set <member=value>', 'the same value in every record; may be repeated', collected)
    .option('--parallel <number>', 'number of comparisons at the same time', wholeNumber(1, 32), 4)
    .option('--patience <minutes>', 'how long to wait for an unreachable service', wholeNumber(0, 10_000), 30)
    .option('--out <file>', 'page to write (default: FILE.reconciled.html beside the file); the JSON is beside it');

export const command = (run: RunCommand) =>
  declared().action((names, options) => run(options, (context) => reconcile(names, options, context)));

/** `reconcile FILE…`: compares every row with the platform, and writes a page that a person can sign. */
async function reconcile(
  names: readonly string[],
  options: OptionsOf<typeof declared, RecordFileOptions>,
  context: CommandContext,
): Promise<number> {
  const { output } = context;
  const { set, display, outage, connected } = await openFiles(names, options, context);
  const paths = pathsFor(set.sources[0]?.file.path ?? '', options.out);
  const { client, login } = await connected();
  const { records } = await whileCounting(display, 'reading', (add) =>
    surveyOf(set, { onProgress: ({ records }) => add(records) }),
  );
  const meters = {
    process: new Meter('compared', records, Date.now),
    read: new Meter('learners', undefined, Date.now),
  };
  const compared = await whileMetered({ display, outage }, meters, (onProgress) =>
    compareAll({ client, set, parallel: options.parallel, random: Math.random, onProgress }),
  );
  const found: Reconciliation = {
    checked_at: new Date().toISOString(),
    base_url: login.base_url,
    company_id: login.company_id,
    checked_by: login.email,
    ...compared,
  };
  writeWhole(paths.page, reconciliationPage(found), OUT_ADVICE);
  writeWhole(paths.json, `${JSON.stringify(found, undefined, 2)}\n`, OUT_ADVICE);
  printResult(output, { ...found, ...paths }, resultLines(found, paths));
  return found.counts.different + found.counts.missing === 0 ? EXIT.allApplied : EXIT.someRejected;
}

interface Paths {
  readonly page: string;
  readonly json: string;
}

/**
 * `history.csv` → `history.reconciled.html` and `history.reconciled.json`, beside it.
 *
 * @throws UsageError if no file can be written there; found before anything is sent
 */
function pathsFor(input: string, asked: string | undefined): Paths {
  const stem = asked === undefined ? `${withoutExtension(input)}.reconciled` : asked.replace(/\.(html?|json)$/i, '');
  checkWritable(stem, 'The page', '--out');
  return { page: `${stem}.html`, json: `${stem}.json` };
}

function resultLines({ rows, counts, courses, beyond }: Reconciliation, { page, json }: Paths): string[] {
  const open = courses.filter(({ different, missing }) => different + missing > 0);
  return [
    `${grouped(rows)} rows`,
    ...STATES.map((state) => `  ${grouped(counts[state]).padStart(9)}  ${state}`),
    ...(open.length === 0
      ? []
      : table(
          ['course', 'title', 'rows', 'different', 'missing'],
          open.map((course) => [
            String(course.course),
            course.title ?? '',
            course.rows,
            course.different,
            course.missing,
          ]),
        )),
    ...(beyond.length === 0
      ? []
      : [`Of ${grouped(beyond.length)} learners in a course the platform has more than the files: the page names it.`]),
    `The page to sign is ${page}, and the same as JSON ${json}.`,
  ];
}
