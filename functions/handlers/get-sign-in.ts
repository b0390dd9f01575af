import { boundedFetch, rememberedDocument, signInSettings, type ProviderDocument } from '../auth/provider-document.ts';
import { chainServices, publicOperation } from '../http/chain.ts';
import type { ChainServices } from '../http/types.ts';
import { takesPasswords, type Environment } from '../runtime/variables.ts';

interface WaysToSignIn extends ChainServices {
  readonly takesPasswords: boolean;
  /** Absent where the deployment names no provider. */
  readonly offered: { readonly client_id: string; readonly document: () => Promise<ProviderDocument> } | undefined;
}

/** `GET /api/v1/auth/sign-in` (§5.4): how a person may sign in. The address of the provider is from its public document. */
export const handler = publicOperation(
  () => waysToSignIn(process.env, chainServices()),
  async (_request, { takesPasswords: password, offered }) => {
    if (offered === undefined) return { statusCode: 200, body: { password, provider: null } };
    const { issuer, authorization_endpoint } = await offered.document();
    const provider = { issuer, authorization_endpoint, client_id: offered.client_id, scope: SCOPE };
    return { statusCode: 200, body: { password, provider } };
  },
);

const SCOPE = 'openid email';

export function waysToSignIn(environment: Environment, chain: ChainServices): WaysToSignIn {
  const ways = { ...chain, takesPasswords: takesPasswords(environment) };
  const settings = signInSettings(environment);
  if (settings === undefined) return { ...ways, offered: undefined };
  const { issuer, client_id } = settings;
  const document = rememberedDocument(issuer, boundedFetch(issuer), chain.clock);
  return { ...ways, offered: { client_id, document } };
}
