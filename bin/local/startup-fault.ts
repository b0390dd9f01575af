/** A fault that the person at the terminal can mend. `message` is what they read: no stack trace, and it says what to do. */
export class StartupFault extends Error {
  override readonly name = 'StartupFault';
}

/** The code of a system error (`EADDRINUSE`), where the value is one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
