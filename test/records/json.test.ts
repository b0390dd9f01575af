/** JSON text of what was sent. Costs milliseconds. */
import { expect, it } from 'vitest';
import { jsonText } from '../../functions/records/json.ts';

it.each([
  '{"a":1e400,"b":[-1e400,{"__proto__":1}],"c":null}',
  '[1,"1e400",true,{"x":{"y":[]}}]',
  '{"__proto__":{"admin":true},"ä\\ud800":"\\u0000"}',
  '1e400',
  'null',
])('%s reads back as it was', (text) => {
  const value: unknown = JSON.parse(text);
  expect(JSON.parse(jsonText(value))).toStrictEqual(value);
});

it('a number that no double holds is no null', () => {
  expect(jsonText(JSON.parse('{"b":1e400,"a":[-1e400]}'))).toBe('{"b":1e999,"a":[-1e999]}');
});

it('members that are undefined are left out', () => {
  expect(jsonText({ a: undefined, b: Infinity })).toBe('{"b":1e999}');
});

it('everything else is written as JSON.stringify writes it', () => {
  const value = { b: [1, -0, 'é', null, { c: undefined }], a: '2' };
  expect(jsonText(value)).toBe(JSON.stringify(value));
});
