/** A counterexample of TLC, as its actions and the lines of the state that each changes: of the table, a line a member. */
export function counterexample(output: string): string[] {
  let before = new Set<string>();
  const states = output.matchAll(/^State (\d+): <?([A-Z]\w*).*\n((?:.+\n)+)/gm);
  return [...states].flatMap(([, number, action, text = '']) => {
    const lines = text.trimEnd().split('\n');
    const changed = lines.filter((line) => !before.has(line));
    before = new Set(lines);
    return [`${number} ${action}`, ...changed];
  });
}
