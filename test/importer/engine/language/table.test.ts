/** Tables of names of a file: every name is kept, and what is wrong is said with its place. Costs milliseconds. */
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { table } from '../../../../bin/importer/engine/language/table.ts';

const schema = v.object({ columns: table(v.pipe(v.string(), v.minLength(1)), v.object({ read: v.number() })) });
const given = (text: string) => v.safeParse(schema, JSON.parse(text));

it('keeps each name, those that every object inherits too', () => {
  const text = '{"columns":{"a":{"read":1},"__proto__":{"read":2},"constructor":{"read":3},"prototype":{"read":4}}}';
  expect(JSON.stringify(given(text).output)).toBe(text);
});

it.each([
  ['{"columns":{"__proto__":{"read":"x"}}}', 'columns.__proto__.read'],
  ['{"columns":{"a":{"read":"x"}}}', 'columns.a.read'],
  ['{"columns":{"":{"read":1}}}', 'columns.'],
  ['{"columns":7}', 'columns'],
])('%s is refused at %s', (text, path) => {
  expect(given(text).issues?.map((issue) => v.getDotPath(issue))).toEqual([path]);
});
