/**
 * One text for one JSON value: members sorted by name, no blanks, −0 as 0. Equal values give equal texts whatever the order
 * and the spelling they were sent in. Values nest no deeper than a request may (32 levels). Members that are `undefined` are
 * left out; a number too large for a double is told apart from `null`.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) return canonicalObject(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  return JSON.stringify(value);
}

function canonicalObject(object: object): string {
  const members = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${canonicalJson(value)}`);
  return `{${members.join(',')}}`;
}
