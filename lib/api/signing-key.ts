import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** A P-256 key (ES256) whose private half never leaves KMS. */
const keyOf = (scope: Construct, id: string, { company, stage }: Settings, signs: string, alias: string): Key =>
  new Key(scope, id, {
    description: `Signs the ${signs} of ${company} (${stage})`,
    alias: `course-progress-migration/${company}/${stage}/${alias}`,
    keySpec: KeySpec.ECC_NIST_P256,
    keyUsage: KeyUsage.SIGN_VERIFY,
    // Not kept if the first creation fails: nothing was signed with it, and it has a price.
    removalPolicy: stage === 'production' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });

/** The key of a stack that signs evidence, and no token. It is kept: what it signed is verified for years. */
export const evidenceKey = (scope: Construct, settings: Settings): Key | undefined =>
  settings.evidence === true ? keyOf(scope, 'EvidenceKey', settings, 'evidence of migrations', 'evidence') : undefined;

/** Rotated by naming its successor (`"signing-key": 2`): tokens of the former key stay valid until they expire. */
export function signingKey(scope: Construct, settings: Settings): Key {
  const suffix = settings.signingKey === undefined || settings.signingKey === 1 ? '' : String(settings.signingKey);
  return keyOf(scope, `SigningKey${suffix}`, settings, 'access and refresh tokens', `tokens${suffix}`);
}
