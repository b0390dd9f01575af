/** An animated picture of a terminal: plain SVG, without scripts, that a page can show as an image. */
import type { Frame } from './screen.ts';

const CHARACTER = { width: 7.8, height: 19 };
const MARGIN = 16;
/** How long the end is shown before it starts over. */
const LAST_MS = 5000;

export function animation(frames: readonly Frame[], title: string): string {
  const columns = Math.max(...frames.flatMap(({ lines }) => lines.map((line) => line.length)));
  const rows = Math.max(...frames.map(({ lines }) => lines.length));
  const width = Math.ceil(columns * CHARACTER.width) + 2 * MARGIN;
  const height = rows * CHARACTER.height + 2 * MARGIN;
  const lengthMs = (frames.at(-1)?.atMs ?? 0) + LAST_MS;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d6deeb; white-space: pre; }
g { opacity: 0; }
@media (prefers-reduced-motion: reduce) { g { animation: none !important; } g:last-of-type { opacity: 1; } }
${frames.map((frame, at) => keyframes(at, frame.atMs, frames[at + 1]?.atMs ?? lengthMs, lengthMs)).join('\n')}
</style>
<rect width="100%" height="100%" rx="8" fill="#011627"/>
${frames.map(({ lines }, at) => picture(lines, at)).join('\n')}
</svg>
`;
}

function keyframes(at: number, fromMs: number, untilMs: number, lengthMs: number): string {
  const percent = (ms: number) => `${((100 * ms) / lengthMs).toFixed(2)}%`;
  const shown = `${percent(fromMs)} { opacity: 1; } ${percent(untilMs)} { opacity: ${untilMs === lengthMs ? 1 : 0}; }`;
  return `#f${at} { animation: f${at} ${lengthMs}ms step-end infinite; } @keyframes f${at} { 0% { opacity: 0; } ${shown} }`;
}

function picture(lines: readonly string[], at: number): string {
  const texts = lines.map((line, row) => {
    const y = MARGIN + (row + 0.75) * CHARACTER.height;
    return line === '' ? '' : `<text x="${MARGIN}" y="${y}" xml:space="preserve">${escaped(line)}</text>`;
  });
  return `<g id="f${at}">${texts.join('')}</g>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
