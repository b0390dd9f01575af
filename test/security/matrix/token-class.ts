/** One class of credentials, and the expected verdict on it. */
import { type Draft, type Kind, signed, sessionDraft, type Identity } from '../support/forge.ts';
import type { Target } from '../support/target.ts';
import { CHANGING, DORMANT, OTHER, OWN } from '../support/data.ts';

export const ADMIN_OF_OWN: Identity = { company_id: OWN, user_id: 1, email: 'admin@acme.test' };
export const CUSTOMER: Identity = { company_id: OWN, user_id: 2, email: 'ben.castillo@acme.test' };
export const ADMIN_OF_OTHER: Identity = { company_id: OTHER, user_id: 600, email: 'admin@globex.test' };
export const ADMIN_OF_DORMANT: Identity = { company_id: DORMANT, user_id: 700, email: 'admin@dormant.test' };
export const changing = (name: keyof typeof CHANGING): Identity => ({
  company_id: OWN,
  user_id: 500 + Object.keys(CHANGING).indexOf(name),
  email: CHANGING[name],
});

/** The bearer of a token that passes. */
export interface Bearer {
  readonly company_id: string;
  readonly isAdmin: boolean;
  readonly isEnabled: boolean;
}

export type Outcome = 'absent' | 'malformed' | 'refused' | Bearer;

export interface TokenClass {
  readonly name: string;
  readonly outcome: Outcome;
  /** The text of the token, or of the whole header where `isHeader`; `undefined` sends none. */
  readonly make: (target: Target, kind: Kind) => Promise<string | undefined>;
  readonly isHeader?: true;
  /** The only kind of token for which the class makes sense. */
  readonly only?: Kind;
  /** No HTTP client sends it. */
  readonly inProcessOnly?: true;
}

export const OWN_ADMIN: Bearer = { company_id: OWN, isAdmin: true, isEnabled: true };

/** A header without a token of its own. */
export function header(name: string, outcome: Outcome, text: string | undefined): TokenClass {
  return { name, outcome, make: async () => text, isHeader: true };
}

/** A header around a token that would pass. */
export function around(name: string, outcome: Outcome, wrap: (token: string) => string): TokenClass {
  const make: TokenClass['make'] = async (target, kind) => wrap(await validToken(target, kind));
  return { name, outcome, make, isHeader: true };
}

/** A text in place of a token. */
export function text(name: string, value: string): TokenClass {
  return { name, outcome: 'refused', make: async () => value };
}

/** A token that is invalid although the service's own key signs it: it is changed before the signature. */
export function drafted(name: string, change: (draft: Draft, target: Target) => Draft | Promise<Draft>): TokenClass {
  const make: TokenClass['make'] = async (target, kind) =>
    signed(await change(await sessionDraft(target, ADMIN_OF_OWN, kind), target), target.signer);
  return { name, outcome: 'refused', make };
}

export const withHeader = (name: string, members: object): TokenClass =>
  drafted(name, ({ header: sound, claims }) => ({ header: { ...sound, ...members }, claims }));

export const withClaims = (name: string, members: object): TokenClass =>
  drafted(name, ({ header: sound, claims }) => ({ header: sound, claims: { ...claims, ...members } }));

/** A token that passed, changed afterwards. */
export function tampered(name: string, change: (token: string) => string): TokenClass {
  return { name, outcome: 'refused', make: async (target, kind) => change(await validToken(target, kind)) };
}

/** A valid token whose bearer has changed since. */
export function ofBearer(
  name: string,
  who: Identity,
  outcome: Outcome,
  change: (target: Target, draft: Draft) => Promise<unknown> = async () => {},
): TokenClass {
  const make: TokenClass['make'] = async (target, kind) => {
    const draft = await sessionDraft(target, who, kind);
    await change(target, draft);
    return signed(draft, target.signer);
  };
  return { name, outcome, make };
}

export async function validToken(target: Target, kind: Kind): Promise<string> {
  return signed(await sessionDraft(target, ADMIN_OF_OWN, kind), target.signer);
}
