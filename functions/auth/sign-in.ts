/** Sign-in by the identity provider of the company (§5.4): its verified address names the user, its `sub` is bound to them. */
import { findUser, throttled, type LoginOutcome, type UserServices } from './login.ts';
import type { IdentityProvider, ProviderIdentity, SignInCode } from './provider.ts';
import { openSession, type SessionServices } from './sessions.ts';
import { addressBucket, countFailure, secondsBlocked, type LoginThrottleStore } from './throttle.ts';
import { text } from '../dynamodb/attributes.ts';
import type { Database } from '../dynamodb/client.ts';
import { anyOf, differs } from '../dynamodb/expressions.ts';
import { getItem, itemIsAbsent, putItem } from '../dynamodb/items.ts';
import { providerKey } from '../dynamodb/table.ts';
import { emailKey, hasActiveLicense } from '../records/identifiers.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { User } from '../shared/model.ts';

export interface SignInServices extends SessionServices {
  readonly telemetry: Pick<Telemetry, 'info' | 'count'>;
  /** Absent where the deployment names none. */
  readonly provider: IdentityProvider | undefined;
  readonly stores: SessionServices['stores'] &
    UserServices['stores'] & { readonly throttle: LoginThrottleStore; readonly bindings: BindingStore };
}

/** `user`: for the log, where a refused one is known. The response shows no reason. */
export type SignInOutcome = LoginOutcome | { readonly kind: 'unauthorized'; readonly user: User };

/** Exchanges a code of the provider for a token pair. Failures count for the source address, as those of a login. */
export async function signIn(
  services: SignInServices,
  { sourceIp, ...sent }: SignInCode & { readonly sourceIp: string },
  nowMs: number,
): Promise<SignInOutcome> {
  const { throttle } = services.stores;
  const buckets = [addressBucket(sourceIp)];
  const blocked = await secondsBlocked(throttle, buckets, nowMs);
  if (blocked !== undefined) return { kind: 'throttled', retryAfterSeconds: blocked };
  const found = await bearerOf(services, sent);
  if ('refused' in found) {
    services.telemetry.info('A sign-in was refused.', { reason: found.refused });
    services.telemetry.count('SignInsRefused');
    if (!(await countFailure(throttle, buckets, nowMs))) return throttled(throttle, buckets, nowMs);
    return { kind: 'unauthorized', ...('user' in found && { user: found.user }) };
  }
  const { user } = found;
  const session_id = services.random.hex(16);
  return {
    kind: 'success',
    tokens: await openSession(services, user, nowMs, session_id, 'provider'),
    user,
    session_id,
  };
}

/** What no person can cause: the secret of the client, or its registration at the provider, is wrong or has expired. */
const OF_THE_CLIENT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

async function bearerOf(services: SignInServices, sent: SignInCode) {
  const { provider, telemetry } = services;
  if (provider === undefined) return { refused: 'provider' };
  const exchanged = await provider.exchange(sent).catch((outage: unknown) => {
    telemetry.count('SignInsFailed');
    throw outage;
  });
  if ('refused' in exchanged) {
    if (OF_THE_CLIENT.has(exchanged.refused)) telemetry.count('SignInsFailed');
    return exchanged;
  }
  const { identity } = exchanged;
  const user = await findUser(services, identity.email);
  if (!hasActiveLicense(user)) return { refused: 'user' };
  return (await services.stores.bindings.bind(user, identity)) ? { user } : { refused: 'another_sub', user };
}

export type BindingStore = ReturnType<typeof bindingStore>;

/** The `sub` of each user who signed in. A fact that changes the address, or deletes the user, deletes it. */
export const bindingStore = (database: Database) => ({
  /** Binds the identity to a user who has none of this provider and address. Whether it is the bound one. */
  async bind(
    { company_id, user_id, email }: Pick<User, 'company_id' | 'user_id' | 'email'>,
    { issuer, sub }: Omit<ProviderIdentity, 'email'>,
  ): Promise<boolean> {
    const key = providerKey(company_id, user_id);
    const item = { ...key, issuer, sub, email: emailKey(email) };
    const isTheirs = async (): Promise<boolean | undefined> => {
      const stored = await getItem(database, key);
      const isBound = stored && text(stored, 'issuer') === issuer && text(stored, 'email') === item.email;
      return isBound ? text(stored, 'sub') === sub : undefined;
    };
    const known = await isTheirs();
    if (known !== undefined) return known;
    // Nobody has signed in at this provider with this address, or another call has just done so.
    const isUnbound = anyOf(itemIsAbsent, differs('issuer', issuer), differs('email', item.email));
    return (await putItem(database, item, isUnbound)) || (await isTheirs()) === true;
  },
});
