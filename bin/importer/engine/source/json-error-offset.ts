/** A structural character, a string, or a number, `true`, `false` or `null`. Anything else is not JSON. */
const TOKEN =
  // oxlint-disable-next-line no-control-regex -- JSON requires control characters to be escaped
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\u{0}-\u{1f}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/uy;
const BLANKS = /[ \t\r\n]*/y;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end' | 'nothing';

/** Offset of the first error in a text that is not JSON. `JSON.parse` reports it only in its message, and not always. */
export function jsonErrorOffset(text: string): number {
  const open: Open = [];
  let expected: Expected = 'value';
  let offset = 0;
  for (;;) {
    const start = after(BLANKS, text, offset);
    TOKEN.lastIndex = offset;
    const [, structure, string, scalar] = TOKEN.exec(text) ?? [];
    const token = structure ?? (string === undefined ? scalar && 'scalar' : 'text');
    const next: Expected | undefined = token === undefined ? undefined : FOLLOW[expected](token, open);
    if (next === undefined) return start;
    expected = next;
    offset = TOKEN.lastIndex;
  }
}

function after(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  pattern.exec(text);
  return pattern.lastIndex;
}

type Open = ('{' | '[')[];
type Follow = (token: string, open: Open) => Expected | undefined;

const key: Follow = (token) => (token === 'text' ? 'colon' : undefined);

/** The tokens that may follow a token; `undefined` if the token is not allowed here. */
const FOLLOW: Readonly<Record<Expected, Follow>> = {
  value: afterValueStart,
  'value or ]': (token, open) => (token === ']' ? closed(open) : afterValueStart(token, open)),
  key,
  'key or }': (token, open) => (token === '}' ? closed(open) : key(token, open)),
  colon: (token) => (token === ':' ? 'value' : undefined),
  'comma or end': afterValue,
  nothing: () => undefined,
};

function afterValueStart(token: string, open: Open): Expected | undefined {
  if (token === 'text' || token === 'scalar') return open.length === 0 ? 'nothing' : 'comma or end';
  if (token !== '{' && token !== '[') return undefined;
  open.push(token);
  return token === '{' ? 'key or }' : 'value or ]';
}

function afterValue(token: string, open: Open): Expected | undefined {
  const inObject = open.at(-1) === '{';
  if (token === ',') return inObject ? 'key' : 'value';
  return token === (inObject ? '}' : ']') ? closed(open) : undefined;
}

function closed(open: Open): Expected {
  open.pop();
  return open.length === 0 ? 'nothing' : 'comma or end';
}
