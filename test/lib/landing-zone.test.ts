/** What an account demands of every stack: its bootstrap, permissions boundary and tags. Costs two seconds. */
import { expect, it } from 'vitest';
import { resourcesOfType, type Template } from '../../bin/local/template.ts';
import { accountTemplateOf, artifactOf, templateOf } from '../kit/template.ts';

const ZONE = { qualifier: 'ours', tags: { 'cost-centre': '42' } };
const BOUNDARY = 'developers';
const stack = { company: 'acme', stage: 'production', ...ZONE, permissionsBoundary: BOUNDARY } as const;

const boundariesOf = (template: Template) =>
  resourcesOfType(template, 'AWS::IAM::Role').map(([, role]) => JSON.stringify(role['PermissionsBoundary']));

it.each([
  ['a stack', () => templateOf(stack), 10],
  ['the account stack', () => accountTemplateOf({ ...ZONE, 'permissions-boundary': BOUNDARY }), 1],
])('each role of %s has the permissions boundary, and its resources the tags', (_, template, least) => {
  const boundaries = boundariesOf(template());
  expect(boundaries.length).toBeGreaterThanOrEqual(least);
  for (const boundary of boundaries) expect(boundary).toContain(`policy/${BOUNDARY}`);
  expect(JSON.stringify(template())).toContain('"Key":"cost-centre","Value":"42"');
});

it('a stack is deployed by the bootstrap of its qualifier', () => {
  expect(artifactOf(stack).assumeRoleArn).toContain('cdk-ours-deploy-role');
});

it('a stack publishes its URL, JWK set, table and intake under its name, for other stacks of the account', () => {
  const platform = 'arn:aws:iam::123456789012:role/platform';
  const named = { ...stack, platform, domain: 'api.example.com/acme' };
  const parameters = resourcesOfType(templateOf(named), 'AWS::SSM::Parameter');
  const values = new Map(parameters.map(([, { Name, Value }]) => [String(Name).split('/').at(-1), Value]));
  for (const [, { Name }] of parameters) expect(Name).toMatch(/^\/course-progress-migration-acme-production\/[a-z-]+$/);
  expect([...values.keys()]).toEqual(['settings', 'url', 'jwks', 'intake-queue', 'intake-function', 'table']);
  expect([values.get('url'), values.get('jwks')]).toEqual([
    'https://api.example.com/acme',
    'https://api.example.com/acme/api/v1/auth/.well-known/jwks.json',
  ]);
});
