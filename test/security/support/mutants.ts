/** Broken variants of the service, as edits of its sources: each takes out one check of who may pass, wherever it is made. */
export interface Edit {
  /** Below `functions/`. */
  readonly file: string;
  readonly take: string;
  readonly put: string;
}

const VERIFIER = 'workflow/verify-token.ts';
const BEARER = 'workflow/bearer.ts';
const AUTHORISE = 'runtime/authorise.ts';
const verifier = (take: string, put = ''): Edit => ({ file: VERIFIER, take, put });
const bearer = (take: string, put: string): Edit => ({ file: BEARER, take, put });
const authorise = (take: string, put: string): Edit => ({ file: AUTHORISE, take, put });

export const MUTANTS: Readonly<Record<string, readonly Edit[]>> = {
  none: [],
  'no-typ': [verifier(' && typ === kind.typ'), verifier('      typ: kind.typ,\n')],
  'no-aud': [
    verifier('      audience: parties.audience,\n'),
    verifier('aud !== parties.audience || ', 'aud === undefined || '),
  ],
  'aud-may-be-a-list': [verifier('aud !== parties.audience || ', '')],
  'no-iss': [verifier('      issuer: parties.issuer,\n')],
  'no-algorithm-pin': [verifier("alg === 'ES256' && "), verifier("      algorithms: ['ES256'],\n")],
  'no-signature': [
    verifier('const { payload } = await jwtVerify(token, key, {', 'const payload = decodeOnly(token); void ({'),
    verifier(
      'async function signedPayload(',
      "const decodeOnly = (token: string): JWTPayload => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());\nasync function signedPayload(",
    ),
  ],
  'key-of-the-token': [
    verifier(
      'const key = kid === undefined ? undefined : await publicKeys(kid, nowSeconds);',
      "const key = kid === undefined ? undefined : ((await importJWK((decodeProtectedHeader(token).jwk ?? {}) as never, 'ES256').catch(() => undefined)) as CryptoKey | undefined) ?? (await publicKeys(kid, nowSeconds));",
    ),
  ],
  'no-crit': [verifier(' && crit === undefined')],
  'no-kid-form': [verifier(' && isKeyId(kid)')],
  'no-key-validity': [verifier(' || published.valid_until_seconds <= nowSeconds')],
  'no-canonical-text': [verifier(" || !token.split('.').every(isCanonicalBase64url)")],
  'no-length-limit': [verifier('token.length > MAX_TOKEN_LENGTH || ')],
  'no-future': [verifier('fromTheFuture || ')],
  'no-lifetime': [verifier(' || claims.exp - claims.iat > kind.lifetimeSeconds')],
  'no-expiry': [
    verifier("'sub', 'jti', 'iat', 'exp', 'sid'", "'sub', 'jti', 'iat', 'sid'"),
    verifier('currentDate: new Date(nowSeconds * 1000)', 'currentDate: new Date(0)'),
  ],
  'no-subject-form': [verifier(' || !/^\\d{1,16}$/.test(sub as string)')],
  'no-session-check': [
    bearer('standsFor(claims, session) && ', 'session !== null && '),
    authorise(
      'if (!session || !isActiveBearer(claims, session, user)) ',
      'if (!user || !isActiveBearer(claims, session as never, user)) ',
    ),
    authorise('const caller: SessionCaller = { user, session };', 'const caller = { user, session } as SessionCaller;'),
  ],
  'no-revocation': [bearer('!session.revoked && ', '')],
  'no-session-owner': [bearer(' && sameBearer', ' && (sameBearer || true)')],
  'no-license': [bearer(" && user.license === 'active'", '')],
  'no-user-id': [bearer(' && user.user_id === claims.user_id', '')],
  'no-company-check': [
    authorise("event.path['company_id'] === claims.company_id", "'company_id' in event.path || true"),
  ],
  'company-in-any-case': [
    authorise(
      "event.path['company_id'] === claims.company_id",
      "event.path['company_id']?.toLowerCase() === claims.company_id.toLowerCase()",
    ),
  ],
  'no-role': [authorise(" || caller.user.role !== 'admin'", '')],
  'no-enablement': [authorise('if (company?.migrations_enabled) return company;', 'if (company) return company;')],
};
