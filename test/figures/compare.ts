/** The gate: exact figures, lower being better, against the committed ones, and against the goals of this service. */
type Figures = Readonly<Record<string, number | undefined>>;

/** A row of docs/costs.md may end with the names of its figures, as a comment: its last cell shows them, rounded. */
const ROW = /^(\| .*\|)( [^|]*)(\| <!-- (.*) -->)$/gm;

/** The document with its rows showing these figures, each with as many decimals as before. */
export const showing = (document: string, figures: Figures): string =>
  document.replaceAll(ROW, (_, before: string, cell: string, after: string, names: string) => {
    const left = names.split('; ').map((name) => figures[name] ?? Number.NaN);
    const shown = cell.replaceAll(/\d[\d,]*(?:\.\d+)?/g, (number) => {
      const figure = left.shift();
      if (figure === undefined) return number;
      const decimals = number.split('.')[1]?.length ?? 0;
      return figure.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    });
    return `${before}${shown}${after}`;
  });

export interface Fault {
  readonly figure: string;
  readonly most: number;
  readonly now: number | undefined;
}

/** Growth that the gate accepts without a commit of the new figure. */
const TOLERANCE = 0.01;
/** A bundle grows with every line of its function; only a library must not be added unnoticed. */
const BUNDLE = 'bundle bytes: ';
const BUNDLE_SLACK_BYTES = 2048;

const GOALS: Readonly<Record<string, number>> = {
  'distinct: write units per record': 2.2,
  'distinct: read units per record': 2.8,
  'shared: read units per record': 2.4,
  'sent again: write units per record': 0.16,
  'dry run: write units per record': 0.16,
  'distinct: AWS calls': 120,
  'organic progress: AWS calls': 85,
  'second file: AWS calls': 85,
  'renewal: AWS calls': 85,
  'the usual migration: AWS calls': 85,
  'distinct: depth of POST': 4,
  'distinct: depth of a chunk': 9,
  'distinct: calls of a poll': 2,
  'distinct: read units of a poll': 4,
  'distinct: bytes of a poll': 600,
  'distinct: learner-course row bytes': 350,
  '20 classes: write units per record': 2.46,
  '100 classes: write units per record': 3.7,
  '100 classes: learner-course row bytes': 1024,
  '100 classes: status item bytes': 2048,
  'night 100: write units per record': 6,
  'night 1000: write units per record': 6,
  'night 1000: read units per record': 8,
  // The 2,000 of a million records take eight minutes then.
  'revert of a run: virtual ms per import': 240,
  // Three times those of a dry run of an import.
  'deep pair: AWS calls of a dry revert': 39,
  'deep pair: read units of a dry revert': 3345,
  'dollars per million records': 1.61,
  'dollars per million records of a plan that is applied': 1.6,
  'archived, of 1 KB: write units more per record': 1.2,
  'archived, of 1 KB, with two names: write units more per record': 2.2,
  'archive, nothing to keep: write units more per record': 0,
  '20 runs, every other page: calls': 5,
  'plan of a million records: write units': 40,
  'plan of 10 million records: virtual ms': 10_000,
  // It alone has three AWS clients, the rules of a record, reverts, erasures and applications of plans; the other has no client of DynamoDB.
  'bundle bytes: process-chunk': 400_000,
  'bundle bytes: get-openapi': 66_000,
  'bundle bytes: page, all files': 200_000,
  'bundle bytes: page, first screen': 42_000,
  'dollars an hour: anonymous': 5,
  'dollars an hour: stolen admin token': 30,
  'dollars of a thousand tokens of clients': 0.03,
  'dollars of a thousand sign-ins': 0.1,
};
const beyond = (now: Figures, mosts: readonly (readonly [figure: string, most: number])[]): Fault[] =>
  mosts
    .filter(([figure, most]) => !((now[figure] ?? Number.NaN) <= most))
    .map(([figure, most]) => ({ figure, most, now: now[figure] }));

/** Figures that are more than 1 % worse than committed (a bundle: 2 KB), or no longer measured. */
export const regressions = (committed: Readonly<Record<string, number>>, now: Figures): Fault[] =>
  beyond(
    now,
    Object.entries(committed).map(([figure, was]) => [
      figure,
      Math.max(was * (1 + TOLERANCE), figure.startsWith(BUNDLE) ? was + BUNDLE_SLACK_BYTES : 0),
    ]),
  );

export const missedGoals = (now: Figures): Fault[] => beyond(now, Object.entries(GOALS));
