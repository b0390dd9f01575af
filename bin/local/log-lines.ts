const LEVEL_ERROR = /"level":\s*"(ERROR|CRITICAL)"/;

/** What becomes of a function's log line: errors always reach stderr, everything does if asked for, the rest is dropped. */
export function logLineSink(verbose: boolean, write: (line: string) => void): (line: string) => void {
  return (line) => {
    if (verbose || LEVEL_ERROR.test(line)) write(line);
  };
}
