/** What a terminal shows after each write; knows no more than the migration command uses: lines, cursor up, erase downwards. */
export interface Write {
  readonly text: string;
  readonly atMs: number;
}

/** The lines on the screen from one moment on. */
export interface Frame {
  readonly atMs: number;
  readonly lines: readonly string[];
}

/** Frames no closer than `everyMs`, each as it stood at the end of its time; the last one is how it ended. */
export function frames(writes: readonly Write[], everyMs: number): Frame[] {
  const found = new Map<number, Frame>();
  let lines: readonly string[] = [''];
  for (const { text, atMs } of writes) {
    lines = written(lines, text);
    const slot = Math.floor(atMs / everyMs);
    found.set(slot, { atMs: slot * everyMs, lines: lines.filter((line, at) => line !== '' || at < lines.length - 1) });
  }
  return [...found.values()];
}

const ESCAPE = String.fromCodePoint(0x1b);
const CONTROL = new RegExp(`(\r?\n|${ESCAPE}\\[[0-9;?]*[A-Za-z])`);

function written(before: readonly string[], text: string): string[] {
  const lines = [...before];
  for (const part of text.split(CONTROL)) {
    if (part === '\n' || part === '\r\n') lines.push('');
    // The cursor stands at the end: going up and erasing downwards is taking the last lines away.
    else if (/^.\[\d+A$/.test(part)) lines.splice(-Number(part.slice(2, -1)) - 1, Infinity, '');
    else if (!part.startsWith(ESCAPE)) lines.push(`${lines.pop() ?? ''}${part}`);
  }
  return lines;
}
