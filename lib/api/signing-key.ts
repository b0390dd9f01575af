import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** The key of a stack that signs evidence. */
export const evidenceKey = (scope: Construct, settings: Settings): Key | undefined =>
  settings.evidence === true ? new EvidenceKey(scope, settings) : undefined;

/** Signs evidence (ES256), and no token. It is kept: what it signed is verified for years. */
class EvidenceKey extends Key {
  constructor(scope: Construct, { company, stage }: Settings) {
    super(scope, 'EvidenceKey', {
      description: `Signs the evidence of migrations of ${company} (${stage})`,
      alias: `course-progress-migration/${company}/${stage}/evidence`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: stage === 'production' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
  }
}

/**
 * The key that signs the tokens (ES256). Its private half never leaves KMS. To rotate it, name its successor
 * (`"signing-key": 2`). Tokens of the previous key stay valid until they expire, because its public half stays published.
 */
export class SigningKey extends Key {
  constructor(scope: Construct, { company, stage, signingKey = 1 }: Settings) {
    const suffix = signingKey === 1 ? '' : String(signingKey);
    super(scope, `SigningKey${suffix}`, {
      description: `Signs the access and refresh tokens of ${company} (${stage})`,
      alias: `course-progress-migration/${company}/${stage}/tokens${suffix}`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      // Not kept if the first creation fails: no token was signed with it, and it has a price.
      removalPolicy: stage === 'production' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
  }
}
