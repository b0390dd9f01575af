/** What is open of a draft, behind its title: a list of runs has their titles, and not their documents. */

const PARTS = ['columns', 'kinds', 'courses', 'people'] as const;
type Part = (typeof PARTS)[number];

/** What a person still has to decide: each by how many. */
export type Open = readonly (readonly [what: Part, count: number])[];

const WRITTEN = / \((?:nothing open|open: ([a-z]+ \d+(?:, [a-z]+ \d+)*))\)$/;

/** The service takes so many characters of a title. */
const LONGEST = 200;

/** `history.csv (open: kinds 3, courses 1)`, which reads where nobody knows of this, too. */
export function withOpen(title: string, open: Open): string {
  const counts = open.filter(([, count]) => count > 0).map((each) => each.join(' '));
  const words = counts.length === 0 ? ' (nothing open)' : ` (open: ${counts.join(', ')})`;
  return title.slice(0, LONGEST - words.length) + words;
}

/** The title itself, and what is open, if it says so. */
export function openIn(written: string | null | undefined) {
  const [words, counts = ''] = WRITTEN.exec(written ?? '') ?? [];
  if (typeof written !== 'string' || words === undefined) return { title: written ?? null, open: undefined };
  const open = PARTS.flatMap((what): Open => {
    const count = new RegExp(`${what} (\\d+)`).exec(counts)?.[1];
    return count === undefined ? [] : [[what, Number(count)]];
  });
  return { title: written.slice(0, -words.length), open };
}
