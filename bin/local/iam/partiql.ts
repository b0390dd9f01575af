/** What a PartiQL statement asks for: its action, its table or index, and the partition keys that it names. */

export interface PartiqlRequest {
  readonly action: 'PartiQLDelete' | 'PartiQLInsert' | 'PartiQLSelect' | 'PartiQLUpdate';
  readonly table: string;
  readonly index?: string;
  readonly leadingKeys: readonly string[];
}

type Parameters = readonly { readonly S?: string }[];

export interface PartiqlStatement {
  readonly Statement: string;
  readonly Parameters?: Parameters;
}

/** A quoted text, a quoted name, a parameter, a word, or any other character. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?|[\w-]+|\S/g;

const ACTIONS: Readonly<Record<string, PartiqlRequest['action']>> = {
  DELETE: 'PartiQLDelete',
  INSERT: 'PartiQLInsert',
  SELECT: 'PartiQLSelect',
  UPDATE: 'PartiQLUpdate',
};

/** `partitionKey`: its name, of a table or an index. Undefined for a statement that is none of the four. */
export function partiqlRequest(
  { Statement, Parameters = [] }: PartiqlStatement,
  partitionKey: (table: string, index?: string) => string | undefined,
): PartiqlRequest | undefined {
  const tokens = Statement.match(TOKEN) ?? [];
  const words = tokens.map((token) => token.toUpperCase());
  const action = ACTIONS[words[0] ?? ''];
  if (action === undefined) return undefined;
  const target = { PartiQLInsert: 'INTO', PartiQLUpdate: 'UPDATE', PartiQLSelect: 'FROM', PartiQLDelete: 'FROM' }[
    action
  ];
  const at = words.indexOf(target) + 1;
  const table = unquoted(tokens[at]);
  const index = tokens[at + 1] === '.' ? unquoted(tokens[at + 2]) : undefined;
  const name = partitionKey(table, index);
  const leadingKeys = valuesOf(tokens, name, action === 'PartiQLInsert' ? ':' : '=', Parameters);
  return { action, table, ...(index !== undefined && { index }), leadingKeys };
}

/** The values behind the partition key (`'pk': ?`, `"pk" = ?`); any other condition is '', which no grant matches. */
function valuesOf(
  tokens: readonly string[],
  name: string | undefined,
  sign: ':' | '=',
  parameters: Parameters,
): string[] {
  const from = sign === ':' ? 0 : tokens.findIndex((token) => token.toUpperCase() === 'WHERE');
  if (from === -1) return [];
  return tokens.flatMap((token, at) => {
    if (at < from || unquoted(token) !== name || token.startsWith("'") !== (sign === ':')) return [];
    // A text of an item that is like the name.
    if (sign === ':' && tokens[at + 1] !== sign) return [];
    return [tokens[at + 1] === sign ? valueAt(tokens, at + 2, parameters) : ''];
  });
}

/** A quoted text, or the parameter that this question mark stands for. */
function valueAt(tokens: readonly string[], at: number, parameters: Parameters): string {
  const value = tokens[at] ?? '';
  if (value.startsWith("'")) return unquoted(value);
  const position = tokens.slice(0, at).filter((each) => each === '?').length;
  return value === '?' ? (parameters[position]?.S ?? '') : '';
}

function unquoted(token = ''): string {
  const [quote = ''] = token;
  return quote === "'" || quote === '"' ? token.slice(1, -1).replaceAll(quote + quote, quote) : token;
}
