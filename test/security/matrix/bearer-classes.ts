/** Valid tokens whose bearer, session or company has changed since. */
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { userKey } from '../../../functions/dynamodb/table.ts';
import type { User } from '../../../functions/shared/model.ts';
import { DORMANT, OTHER, OWN } from '../support/data.ts';
import { randomHex, signed, sessionDraft, type Draft, type Identity } from '../support/forge.ts';
import type { Target } from '../support/target.ts';
import {
  ADMIN_OF_DORMANT,
  ADMIN_OF_OTHER,
  ADMIN_OF_OWN,
  changing,
  CUSTOMER,
  OWN_ADMIN,
  ofBearer,
  type TokenClass,
} from './token-class.ts';
import { planted } from '../../kit/planted.ts';

const sidOf = ({ claims }: Draft): string => String(claims['sid']);
const revoke = (target: Target, draft: Draft) => target.stores.sessions.revoke(sidOf(draft));

/** Changes the user's item as the platform would. */
const become = (who: Identity, change: Partial<User>) => async (target: Target) => {
  const [user] = (await target.stores.directory.users(who.company_id, [who.email], true)).values();
  if (user !== undefined) await planted(target.stores.platform).replaceUser(user, { ...user, ...change });
};

const remove = (who: Identity) => (target: Target) =>
  target.client.send(new DeleteCommand({ TableName: target.table, Key: userKey(who.company_id, who.email) }));

/** A token whose session item is that of another user. */
const sessionOf = (who: Identity) => async (target: Target, draft: Draft) => {
  const session = await target.stores.sessions.read(sidOf(draft));
  if (session !== undefined) await target.stores.sessions.create({ ...session, ...who });
};

/** A refresh token that was spent this long ago, since when another is current. */
function spent(name: string, agoMs: number, outcome: TokenClass['outcome']): TokenClass {
  const make: TokenClass['make'] = async (target, kind) => {
    const draft = await sessionDraft(target, ADMIN_OF_OWN, kind);
    const session = await target.stores.sessions.read(sidOf(draft));
    if (session === undefined) throw new Error('the session is not stored');
    const entry = { jti: String(draft.claims['jti']), spent_at_ms: target.nowMs() - agoMs };
    await target.stores.sessions.create({
      ...session,
      current: { ...session.current, jti: randomHex() },
      spent: [entry],
    });
    return signed(draft, target.signer);
  };
  return { name, outcome, make, only: 'refresh' };
}

const customer = { company_id: OWN, isAdmin: false, isEnabled: true };

export const BEARER_CLASSES: readonly TokenClass[] = [
  ofBearer('an admin', ADMIN_OF_OWN, OWN_ADMIN),
  ofBearer('a customer', CUSTOMER, customer),
  ofBearer('a demoted admin', changing('demoted'), customer, become(changing('demoted'), { role: 'customer' })),
  ofBearer('an admin of another company', ADMIN_OF_OTHER, { ...OWN_ADMIN, company_id: OTHER }),
  ofBearer('an admin whose company is disabled', ADMIN_OF_DORMANT, {
    company_id: DORMANT,
    isAdmin: true,
    isEnabled: false,
  }),
  ofBearer('a revoked session', ADMIN_OF_OWN, 'refused', revoke),
  ofBearer("another user's session", ADMIN_OF_OWN, 'refused', sessionOf(CUSTOMER)),
  ofBearer("another company's session", ADMIN_OF_OWN, 'refused', sessionOf(ADMIN_OF_OTHER)),
  ofBearer(
    'a deactivated user',
    changing('deactivated'),
    'refused',
    become(changing('deactivated'), { license: 'inactive' }),
  ),
  ofBearer('a deleted user', changing('deleted'), 'refused', remove(changing('deleted'))),
  ofBearer(
    'an e-mail that now belongs to another user',
    changing('replaced'),
    'refused',
    become(changing('replaced'), { user_id: 999 }),
  ),
  spent('spent 31 s ago', 31_000, 'refused'),
  spent('spent a second ago', 1000, OWN_ADMIN),
];
