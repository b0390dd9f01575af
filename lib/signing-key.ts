import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** Signs the tokens (ES256). Its private half never leaves KMS. */
export class SigningKey extends Key {
  constructor(scope: Construct, id: string, { company, stage }: Settings) {
    super(scope, id, {
      description: `Signs the access and refresh tokens of ${company} (${stage})`,
      alias: `course-progress-migration/${company}/${stage}/tokens`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: stage === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
