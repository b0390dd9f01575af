/** What a workflow asks of the machine it runs on. */

export interface Clock {
  nowMs(): number;
}

export interface Random {
  /** `bytes` cryptographically random bytes as lower-case hex. */
  hex(bytes: number): string;
}

/** How long this invocation may still run. */
export interface Deadline {
  remainingMs(): number;
}
