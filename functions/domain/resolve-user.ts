import { agreementOf, type Found, type Resolved } from './agreement.ts';
import { emailKey } from './email.ts';
import type { User } from './model.ts';
import { quoted } from './quote.ts';
import type { UserBlock } from './record-blocks.ts';
import type { References } from './resolution.ts';

/** §2.7: an e-mail address "must resolve to an active user in the company", an external id was registered beforehand. */
export function resolveUser({ email, external_user_id }: UserBlock, references: References): Resolved<User> {
  const found = [
    ...(email === undefined ? [] : [byEmail(email, references)]),
    ...(external_user_id === undefined ? [] : [byExternalId(external_user_id, references)]),
  ];
  return agreementOf('user', found, ({ user_id }) => user_id);
}

function byEmail(email: string, references: References): Found<User> {
  const field = 'user.email';
  const user = references.user(emailKey(email));
  if (user !== undefined) return ifActive(user, field);
  const message = `${field} ${quoted(email)} is no user of the company`;
  return { problem: { error_code: 'user_not_found', message, field } };
}

function byExternalId(external_user_id: string, references: References): Found<User> {
  const field = 'user.external_user_id';
  const mapping = references.userMapping(external_user_id);
  if (mapping === undefined) {
    const message = `${field} ${quoted(external_user_id)} was never registered`;
    return { problem: { error_code: 'external_user_id_not_mapped', message, field } };
  }
  const user = references.user(emailKey(mapping.email));
  const isSamePerson = user?.user_id === mapping.user_id;
  if (user !== undefined && isSamePerson) return ifActive(user, field);
  const message = `${field} ${quoted(external_user_id)} is registered to a user who is gone`;
  return { problem: { error_code: 'user_not_found', message, field } };
}

function ifActive(user: User, field: string): Found<User> {
  if (user.license === 'active') return { entity: user };
  return { problem: { error_code: 'user_inactive', message: `${field} leads to a user who is not active`, field } };
}
