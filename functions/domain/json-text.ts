/**
 * JSON text that reads back as the same value. `JSON.stringify` writes a number that is too large for a double (`1e400`, read
 * as infinite) as `null`, which would turn a number that is out of range into one that was not sent.
 */
export function jsonText(value: unknown): string {
  return holdsOverflow(value) ? spelledOut(value) : JSON.stringify(value);
}

function holdsOverflow(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsOverflow);
  for (const name in value) if (holdsOverflow((value as Record<string, unknown>)[name])) return true;
  return false;
}

function spelledOut(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  if (Array.isArray(value)) return `[${value.map(spelledOut).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${spelledOut(member)}`).join(',')}}`;
}
