/** Rows of one learner in one course, by who came: whether a course may have had one session. */

interface RowsOfPair {
  rows: number;
  /** The days of each row that says that the learner came, and of each that does not, by the place of their column. */
  readonly came: (readonly string[])[];
  readonly missed: (readonly string[])[];
}

/** Which learners came once to each course. */
export class Sessions {
  readonly #pairs = new Map<string, RowsOfPair>();
  readonly #latest: string;

  /** @param latest a later day is still to come */
  constructor(latest: string) {
    this.#latest = latest;
  }

  /** @param days of each column of dates, empty where there is none */
  add(pair: string, hasCome: boolean, days: readonly string[]): void {
    const known = this.#pairs.get(pair) ?? { rows: 0, came: [], missed: [] };
    this.#pairs.set(pair, known);
    known.rows += 1;
    (hasCome ? known.came : known.missed).push(days);
  }

  /** Most learners have one row, nobody came twice, and whoever has other rows came later, or has booked again. */
  get areOne(): boolean {
    const pairs = [...this.#pairs.values()];
    const several = pairs.filter(({ rows }) => rows > 1);
    return several.length * 2 <= pairs.length && several.every((pair) => this.#cameOnce(pair));
  }

  #cameOnce({ came: [day, ...others], missed }: RowsOfPair): boolean {
    return day === undefined || (others.length === 0 && missed.every((each) => this.#isOther(each, day)));
  }

  /** Of the days that differ, each is earlier than that of the session, or to come. */
  #isOther(missed: readonly string[], came: readonly string[]): boolean {
    const differing = missed.filter((day, at) => day !== '' && came[at] !== '' && day !== came[at]);
    return (
      differing.length > 0 &&
      missed.every((day, at) => !differing.includes(day) || day < (came[at] ?? '') || day > this.#latest)
    );
  }
}
