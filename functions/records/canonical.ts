/**
 * The canonical JSON of a value (RFC 8785): members in the order of their UTF-16 code units, no blanks, numbers and texts as
 * ECMAScript writes them. Equal values have equal texts, so a digest of it can be checked in any language.
 *
 * @example
 * canonicalJson({ b: [1.0, 'é'], a: null }); // => '{"a":null,"b":[1,"é"]}'
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const texts = members
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${texts.join(',')}}`;
}
