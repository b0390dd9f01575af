/** The service in the stack of another app, beside resources of its team. Costs a second. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib/core';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { expect, it } from 'vitest';
import { resourcesOfType, type Template } from '../../bin/local/template.ts';
import { functionSources } from '../../lib/function-sources.ts';
import { MigrationService } from '../../lib/migration-service.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const folder = temporaryFolder('service');
const bundles = join(folder, 'functions');
for (const name of functionSources().keys()) {
  mkdirSync(join(bundles, name), { recursive: true });
  writeFileSync(join(bundles, name, 'index.mjs'), '');
}

let synthesized: Template | undefined;

function theirApp(): Template {
  const app = new App({ outdir: join(folder, 'out') });
  const stack = new Stack(app, 'Learning', { stackName: 'course-progress-migration-acme-production' });
  const theirs = new Topic(stack, 'Theirs');
  const service = new MigrationService(stack, 'Migration', {
    settings: { company: 'acme', stage: 'production', webAcl: 'own', retentionDays: 365 },
    version: '1.0.0',
    bundles,
  });
  theirs.node.addMetadata('calls', service.baseUrl);
  return app.synth().getStackByName(stack.stackName).template as Template;
}

it('an app of another team has the service in a stack of its own making, beside its resources', () => {
  const template = (synthesized ??= theirApp());
  const count = (type: string) => resourcesOfType(template, type).length;
  expect([count('AWS::ApiGateway::RestApi'), count('AWS::DynamoDB::GlobalTable'), count('AWS::WAFv2::WebACL')]).toEqual(
    [1, 1, 1],
  );
  expect(JSON.stringify(resourcesOfType(template, 'AWS::Lambda::Function'))).toContain(
    '"POWERTOOLS_SERVICE_NAME":"course-progress-migration-acme-production"',
  );
});

it('the tags by which alarms find the service are on its resources alone, and nothing of it waits for others', () => {
  const template = (synthesized ??= theirApp());
  const theirs = resourcesOfType(template, 'AWS::SNS::Topic').find(([id]) => id.startsWith('Theirs'));
  expect(theirs?.[1]['Tags']).toBeUndefined();
  const [[, table] = []] = resourcesOfType(template, 'AWS::DynamoDB::GlobalTable');
  expect(JSON.stringify(table)).toContain('"course-progress-migration"');
  const waiting = Object.values(template.Resources).filter((each) => JSON.stringify(each).includes('"Theirs'));
  expect(waiting).toEqual([]);
});
