import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { addTags, propsOf } from './landing-zone.ts';
import { MigrationService, type MigrationServiceProps } from './migration-service.ts';
import { APPLICATION } from './observability/tags.ts';

/** A stack with the service and nothing else, as this app deploys it for each company and stage. */
export class MigrationStack extends Stack {
  constructor(scope: Construct, id: string, props: MigrationServiceProps) {
    const { settings } = props;
    const { company, stage, tags } = settings;
    super(scope, id, {
      description: `Course progress migration of ${company} (${stage})`,
      terminationProtection: stage === 'production',
      ...propsOf(settings),
    });
    addTags(this, { application: APPLICATION, company, stage, ...tags });
    // With this id its resources have the same logical ids as if they were directly in the stack.
    new MigrationService(this, 'Default', props);
  }
}
