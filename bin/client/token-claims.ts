/** What a client may read out of its own token to plan ahead; only the service can tell whether a token holds. */
export interface ReadableClaims {
  readonly issuedAtMs: number | undefined;
  readonly expiresAtMs: number | undefined;
  readonly company_id: string | undefined;
}

export function readClaims(token: string): ReadableClaims {
  const { iat, exp, company_id } = payloadOf(token);
  return {
    issuedAtMs: typeof iat === 'number' ? iat * 1000 : undefined,
    expiresAtMs: typeof exp === 'number' ? exp * 1000 : undefined,
    company_id: typeof company_id === 'string' ? company_id : undefined,
  };
}

function payloadOf(token: string): Record<string, unknown> {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof payload === 'object' && payload !== null ? { ...payload } : {};
  } catch {
    return {};
  }
}
