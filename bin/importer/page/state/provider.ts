/** Sign-in by the identity provider: what the tab keeps while the person is there, and what they come back with. */
import { sentBackIn, signInRequestOf, startSignIn, type SignInAttempt } from '../../client/sign-in.ts';
import type { SignInRequest, SignInWays } from '../../wire/types.ts';

/** No token: it belongs to one sign-in, and to this tab. */
const KEPT = 'sign-in';

interface Kept {
  readonly attempt: SignInAttempt;
  /** Where the page is gone on with. */
  readonly hash: string;
}

const sent = sentBackIn(new URLSearchParams(location.search));
const kept = sessionStorage.getItem(KEPT);
sessionStorage.removeItem(KEPT);
const { attempt, hash = location.hash }: Partial<Kept> = kept === null || sent === undefined ? {} : JSON.parse(kept);
// The code is in no address bar and no history, before anything else happens.
if (location.search !== '') history.replaceState(null, '', location.pathname + hash);

let brought = sent && { request: attempt && signInRequestOf(attempt, sent) };

/** Once: what the provider sent the person back with; no request if that is of no sign-in of this tab. */
export function broughtBack(): { readonly request: SignInRequest | undefined } | undefined {
  const once = brought;
  brought = undefined;
  return once;
}

export async function goToProvider(provider: NonNullable<SignInWays['provider']>): Promise<void> {
  const started = await startSignIn(provider, location.origin + location.pathname.replace(/\/?$/, '/'));
  sessionStorage.setItem(KEPT, JSON.stringify({ attempt: started.attempt, hash: location.hash } satisfies Kept));
  location.assign(started.address);
}
