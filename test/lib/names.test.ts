/** Tags and names that tell the resources of companies apart. Costs a second. */
import { expect, it } from 'vitest';
import { resourcesOfType } from '../../bin/local/template.ts';
import { templateOf } from '../kit/template.ts';

it.each(['sandbox', 'production'] as const)('the resources of a %s have tags with company and stage', (stage) => {
  const queues = resourcesOfType(templateOf({ company: 'acme', stage }), 'AWS::SQS::Queue');
  expect(queues.length).toBeGreaterThan(0);
  for (const [, { Tags }] of queues)
    expect(Tags).toMatchObject(
      expect.arrayContaining([
        { Key: 'application', Value: 'course-progress-migration' },
        { Key: 'company', Value: 'acme' },
        { Key: 'stage', Value: stage },
      ]),
    );
});

it('named resources of another company’s stack have other names', () => {
  const names = (company: string) => {
    const { Resources } = templateOf({ company, stage: 'production' });
    const named =
      /"(?:AlarmName|AliasName|DashboardName|QueryDefinitionName|FunctionName|TableName|QueueName)":"([^"]+)"/g;
    return [...JSON.stringify(Resources).matchAll(named)].map(([, name]) => name);
  };
  const acme = new Set(names('acme'));
  expect(acme.size).toBeGreaterThan(7);
  expect(names('globex').filter((name) => acme.has(name))).toEqual([]);
});
