/** Canonical JSON against the example of RFC 8785, section 3.2. Costs milliseconds. */
import { expect, it } from 'vitest';
import { canonicalJson } from '../../functions/records/json.ts';

it('is the text that RFC 8785 gives for its example', () => {
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(value)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

it('members are in the order of their UTF-16 code units', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6', '10', '9'];
  const expected = ['\r', '1', '10', '9', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
  const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
  expect([...text.matchAll(/("[^"]*"):0/g)].map(([, name = '']) => JSON.parse(name))).toEqual(expected);
});
