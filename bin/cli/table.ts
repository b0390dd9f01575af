/** Columns side by side, as wide as they need to be. Numbers stand to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => String(row[column]).length)));
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, column) => aligned(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)];
}

const aligned = (cell: string | number, width: number): string =>
  typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width);
