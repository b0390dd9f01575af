const MAX_LENGTH = 500;

/** Text of an error as it may be logged: no e-mail addresses, no tokens, no long quotations. */
export function redact(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .replaceAll(/[\w-]+\.[\w-]{10,}\.[\w-]{10,}/g, '[token]')
    .replaceAll(/[^\s"'<>@]+@[^\s"'<>@]+/g, '[e-mail]');
}
