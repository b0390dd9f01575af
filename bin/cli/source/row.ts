/** One row of a CSV file, or one item of a JSON file. */
export interface Row {
  /** Line of the file on which it ends, from 1. */
  readonly line: number;
  /** The texts of a CSV row, one for each column of the header. */
  readonly cells?: readonly string[];
  /** The item of a JSON file. */
  readonly value?: unknown;
}

export const MAX_ROW_BYTES = 1024 * 1024;
