/** The token pair as a client keeps it between calls, and between runs. */
export interface KeptTokens {
  readonly access_token: string;
  /** Absent once it may have been spent without the new pair having arrived: presenting it again would end the session. */
  readonly refresh_token?: string;
  /** Set while a refresh is under way, milliseconds since the epoch. */
  readonly refreshing_since_ms?: number;
}

export interface TokenStore {
  read(): Promise<KeptTokens | undefined>;
  write(tokens: KeptTokens): Promise<void>;
  /** Runs the step while nobody else who shares this store runs one. */
  exclusively<T>(step: () => Promise<T>): Promise<T>;
}

/** Keeps the tokens of one process. */
export function memoryTokenStore(tokens?: KeptTokens): TokenStore {
  let kept = tokens;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async read() {
      return kept;
    },
    async write(tokens) {
      kept = tokens;
    },
    exclusively<T>(step: () => Promise<T>): Promise<T> {
      const turn = last.then(step);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
