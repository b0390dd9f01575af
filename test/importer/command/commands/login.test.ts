/** The addresses that a login takes. Costs milliseconds. */
import { expect, it } from 'vitest';
import { checkedUrl } from '../../../../bin/importer/command/commands/login.ts';

it.each(['http://localhost:3000', 'http://127.0.0.1:1', 'http://127.9.9.9', 'http://[::1]:3000', 'https://x.example'])(
  'an address such as %s may be used',
  (url) => {
    expect(checkedUrl(url)).toBe(url);
  },
);

it.each([
  'http://x.example',
  'http://localhost.x.example',
  'http://127.0.0.1.x.example',
  'http://10.0.0.1',
  'HTTP://X',
])('an address such as %s would show the password to anyone on the way, and needs --insecure', (url) => {
  expect(() => checkedUrl(url)).toThrow('--insecure');
  expect(checkedUrl(url, true)).toBe(url);
});
