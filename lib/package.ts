/** `course-progress-migration/cdk`: the service for the CDK app of another team, with the functions that the package brings. */
import { join } from 'node:path';
import type { Construct } from 'constructs';
import packageJson from '../package.json' with { type: 'json' };
import { MigrationService as Service, type MigrationServiceProps } from './migration-service.ts';

export type { MigrationServiceProps } from './migration-service.ts';
export type { Settings } from './settings.ts';

/** As `MigrationService` of the sources, with version and functions of the package. */
export class MigrationService extends Service {
  constructor(scope: Construct, id: string, props: Omit<MigrationServiceProps, 'version' | 'bundles'>) {
    super(scope, id, { ...props, version: packageJson.version, bundles: join(import.meta.dirname, 'functions') });
  }
}
