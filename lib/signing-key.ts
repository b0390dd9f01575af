import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/**
 * Signs the tokens (ES256). Its private half never leaves KMS. A key is changed by naming its successor
 * (`-c signing-key=2`): tokens of the one before verify for all of their life, since its public half stays published.
 */
export class SigningKey extends Key {
  constructor(scope: Construct, { company, stage, signingKey = 1 }: Settings) {
    const mark = signingKey === 1 ? '' : String(signingKey);
    super(scope, `SigningKey${mark}`, {
      description: `Signs the access and refresh tokens of ${company} (${stage})`,
      alias: `course-progress-migration/${company}/${stage}/tokens${mark}`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: stage === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
