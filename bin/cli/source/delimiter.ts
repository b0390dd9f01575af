const CANDIDATES = [',', ';', '\t', '|'] as const;

/** The candidate that the first line holds most often outside quotes; a comma if it holds none. */
export function guessDelimiter(text: string): string {
  const line = firstLine(text);
  const counts = CANDIDATES.map((candidate) => ({ candidate, count: countOutsideQuotes(line, candidate) }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  return best.count === 0 ? ',' : best.candidate;
}

/** Up to the first line break outside quotes, empty lines aside. */
function firstLine(text: string): string {
  let quoted = false;
  const start = text.search(/[^\r\n]/);
  for (let i = Math.max(0, start); i < text.length; i += 1) {
    if (text[i] === '"') quoted = !quoted;
    if (text[i] === '\n' && !quoted) return text.slice(start, i);
  }
  return text.slice(Math.max(0, start));
}

function countOutsideQuotes(line: string, candidate: string): number {
  return (
    line
      .split('"')
      .filter((_, part) => part % 2 === 0)
      .join('')
      .split(candidate).length - 1
  );
}
