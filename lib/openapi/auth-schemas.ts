/** Bodies of the authentication operations (§2.1–2.4). */
import * as v from 'valibot';
import { platformId } from './shared-schemas.ts';

export const credentials = v.object({
  email: v.string(),
  password: v.pipe(v.string(), v.metadata({ format: 'password' })),
});

export const refreshRequest = v.object({
  refreshToken: v.pipe(v.string(), v.description('The refresh token of the last pair.')),
});

export const tokenPair = v.strictObject({
  access_token: v.pipe(v.string(), v.description('JWT (ES256), valid 20 days.')),
  refresh_token: v.pipe(v.string(), v.description('JWT (ES256), valid 10 hours, spent by its first use.')),
});

export const userProfile = v.strictObject({
  id: platformId,
  email: v.string(),
  password: v.pipe(
    v.literal('********'),
    v.description('Always this text: passwords and their hashes never leave the store.'),
  ),
  name: v.string(),
  role: v.picklist(['customer', 'admin']),
  avatar: v.pipe(v.string(), v.description('URL.')),
});

export const jwkSet = v.strictObject({
  keys: v.array(
    v.object({
      kty: v.literal('EC'),
      crv: v.literal('P-256'),
      x: v.string(),
      y: v.string(),
      kid: v.string(),
      alg: v.optional(v.literal('ES256')),
      use: v.optional(v.literal('sig')),
    }),
  ),
});
