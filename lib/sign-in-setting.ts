/** The setting `sign-in` (docs/deploy.md): the identity provider of the company. */
import * as v from 'valibot';
import { flag, pattern, text } from './settings-schemas.ts';

/** The schema of the setting. */
export const SIGN_IN = v.pipe(
  v.strictObject(
    {
      issuer: v.pipe(
        pattern(
          // No account of another tenant may sign in.
          /^https:\/\/(?!login\.microsoftonline\.com\/(?:common|organizations|consumers)(?:\/|$))[^\s"<>?#]{1,500}$/,
          'must be the issuer of one tenant, such as https://login.microsoftonline.com/TENANT/v2.0',
        ),
        v.description('Issuer of the identity provider, exactly as its discovery document names it.'),
      ),
      client_id: text(
        /^[\x21-\x7e]{1,255}$/,
        'must be 1 to 255 visible ASCII characters',
        'Id by which the provider knows the service.',
      ),
      client_secret_parameter: v.exactOptional(
        text(
          /^\/[\w./-]{1,500}$/,
          'must be the name of a parameter in SSM, beginning with a slash',
          'Name of the SecureString in SSM with the secret of the client. Without it, the client is a public one.',
        ),
      ),
      unverified_email: v.exactOptional(
        flag('true: for a provider that sends no email_verified, and whose addresses only its administrators set.'),
      ),
    },
    'is no member of sign-in',
  ),
  v.description('The identity provider by which people sign in (OpenID Connect).'),
);
