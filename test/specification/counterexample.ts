/** A counterexample of TLC, as its actions and their changes. */

/** Splits at commas outside of brackets. */
function members(text: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let position = 0; position < text.length; position += 1) {
    const sign = text[position] ?? '';
    if ('[{(<'.includes(sign)) depth += 1;
    // The arrow `|->` closes nothing.
    if (']})'.includes(sign) || (sign === '>' && text[position - 1] !== '-' && text[position - 1] !== ':')) depth -= 1;
    if (sign !== ',' || depth > 0) continue;
    parts.push(text.slice(from, position));
    from = position + 1;
  }
  return [...parts, text.slice(from)].map((part) => part.trim());
}

/** Name and value of each variable; the members of `db` separately. */
function valuesOf(state: string): Map<string, string> {
  const variables = state
    .replaceAll(/\s+/g, ' ')
    .split(/ ?\/\\ (?=\w+ =)/)
    .filter((part) => part.includes('='));
  return new Map(
    variables.flatMap((variable): [string, string][] => {
      const [name = '', value = ''] = variable.split(/ = (.*)/);
      if (name !== 'db') return [[name, value.trim()]];
      return members(value.trim().slice(1, -1)).map((member) => {
        const [key = '', inner = ''] = member.split(/ \|-> (.*)/);
        return [key, inner];
      });
    }),
  );
}

export function counterexample(output: string): string[] {
  const lines: string[] = [];
  let before = new Map<string, string>();
  for (const [, number, action, text = ''] of output.matchAll(/^State (\d+): <?([A-Z]\w*).*\n((?:.+\n)+)/gm)) {
    const values = valuesOf(text);
    lines.push(`${number} ${action}`);
    for (const [name, value] of values) if (before.get(name) !== value) lines.push(`    ${name} = ${value}`);
    before = values;
  }
  return lines;
}
