/** The bodies of logins, refreshes and sign-ins (§4.1), in a file of their own: a bundle carries every schema of a file. */
import * as v from 'valibot';

const text = v.string('must be a string');

/** The body of a login (§2.1). The password has no rule of its own: each wrong one is 401. */
export const credentials = v.strictObject({
  email: text,
  password: v.pipe(text, v.metadata({ format: 'password' })),
});

export const refreshRequest = v.strictObject({
  refreshToken: v.pipe(text, v.description('The refresh token of the last pair.')),
});

const ofLength = (min: number, max: number, pattern: RegExp, rule: string) =>
  v.pipe(text, v.minLength(min, rule), v.maxLength(max, rule), v.regex(pattern, rule));
const VISIBLE = /^[!-~]*$/;

/** The body of a sign-in (§5.4), in the limits of RFC 7636 and beyond those of any provider. */
export const signInRequest = v.strictObject({
  code: v.pipe(
    ofLength(1, 4096, VISIBLE, 'must be 1 to 4096 visible ASCII characters'),
    v.description('The code that the identity provider sent the person back with.'),
  ),
  code_verifier: v.pipe(
    ofLength(43, 128, /^[\w.~-]*$/, 'must be 43 to 128 of A-Z a-z 0-9 - . _ ~'),
    v.description('The secret of which the provider has the challenge (PKCE, S256).'),
  ),
  nonce: v.pipe(
    ofLength(16, 255, VISIBLE, 'must be 16 to 255 visible ASCII characters'),
    v.description('The random text that the ID token repeats.'),
  ),
  redirect_uri: v.pipe(
    ofLength(1, 2048, VISIBLE, 'must be 1 to 2048 visible ASCII characters'),
    v.description('The address to which the provider sent the person: the page, or one of a loopback interface.'),
  ),
});
