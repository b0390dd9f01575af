/** A request says only what the operation defines (§1): another query parameter or member of the body is refused by its name. */
import { distance } from 'fastest-levenshtein';
import { quoted } from '../records/text.ts';
import type { Problem, RequestErrorCode } from '../shared/codes.ts';

/** The paths of operations; the page for people and unknown paths are none, and take any parameter. */
export const OPERATION: RegExp = /^[A-Z]+ \/(?:v1|api)\//;
const MOST_NAMED = 10;

/** A problem for each of the first unknown names, the last with the number of the others; asks for a known name that is near. */
export function unknownNames(
  sent: readonly string[],
  known: readonly string[],
  what: Named,
): Problem<RequestErrorCode>[] {
  const unknown = sent.filter((name) => !known.includes(name));
  const others = unknown.length - MOST_NAMED;
  return unknown.slice(0, MOST_NAMED).map((name, index) => {
    const more = others > 0 && index === MOST_NAMED - 1 ? ` ${others} more are unknown.` : '';
    return problemOf(name, what, adviceOn(name, known) + more);
  });
}

/** Asks for the known name in other case or separators, or two letters off. */
function adviceOn(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'It has none.';
  const near = nearest(name, known);
  return near === undefined ? `It has: ${known.join(', ')}.` : `Did you mean ${near}?`;
}

type Named = 'query parameter' | 'member';

const MAX_FIELD_LENGTH = 64;

function problemOf(name: string, what: Named, advice: string): Problem<RequestErrorCode> {
  const message = `${quoted(name)} is no ${what} of this operation. ${advice}`;
  return { error_code: 'invalid_request', message, field: name.slice(0, MAX_FIELD_LENGTH).toWellFormed() };
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function nearest(name: string, known: readonly string[]): string | undefined {
  const sent = plain(name.slice(0, MAX_FIELD_LENGTH));
  const [best] = known
    .map((each) => ({ each, apart: distance(sent, plain(each)) }))
    .filter(({ each, apart }) => apart <= Math.min(2, each.length / 3))
    .toSorted((one, other) => one.apart - other.apart);
  return best?.each;
}
