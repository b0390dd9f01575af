/** The log lines of code that runs in the test's own process. */
import { vi } from 'vitest';

/** What this process writes from now on, in place of writing it, until `vi.restoreAllMocks()`. */
export function capturedLines(): string[] {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((line) => (lines.push(String(line)), true));
  return lines;
}
