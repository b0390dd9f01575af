/**
 * An update from the templates of each release to today's, and its rollback, replaces and deletes nothing that carries
 * data, addresses or protection. `npm run freeze` stores today's. Costs three seconds.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Resource, type Template } from '../../bin/local/template.ts';
import type { Settings } from '../../lib/settings.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { accountTemplateOf, SHARED, templateOf } from '../kit/template.ts';
import { folderOf, releases } from './frozen.ts';

interface Entity {
  readonly cloudFormationType: string;
  readonly properties: Readonly<Record<string, { readonly causesReplacement?: 'yes' | 'no' | 'maybe' }>>;
}

/** The file by which `cdk diff` warns of a replacement. */
const database = join(import.meta.dirname, '../../node_modules/aws-cdk/db.json.gz');
const { schema } = JSON.parse(gunzipSync(readFileSync(database)).toString()) as {
  readonly schema: { readonly resource: { readonly entities: Readonly<Record<string, Entity>> } };
};
const typed = new Map(
  Object.values(schema.resource.entities).map((each) => [each.cloudFormationType, each.properties]),
);

/** Resources by logical id, each with the properties whose change replaces it. */
type Resources = Readonly<Record<string, Resource>>;

/** A stage, or an account, has one of each: to delete a second one takes the first one away. */
const SINGLE = new Set(['WAFv2::WebACLAssociation', 'ApiGateway::Account', 'ObservabilityAdmin::TelemetryEnrichment']);
/** Types that carry data, addresses or protection. */
const CARRYING =
  /^AWS::(DynamoDB::GlobalTable|SQS::Queue|Logs::LogGroup|SSM::Parameter|KMS::(Key|Alias)|ApiGateway::(RestApi|Stage|DomainName|BasePathMapping|Account)|Lambda::Function|SNS::(Topic|Subscription)|WAFv2::.+|ObservabilityAdmin::.+|Budgets::Budget)$/;

/** Explicit names, of which AWS allows one each. */
const namesOf = ({ Type, Properties = {} }: Resource): string[] =>
  ['AlarmName', 'AliasName', 'DashboardName', 'DomainName', 'Name']
    .filter((name) => typeof Properties[name] === 'string')
    .map((name) => `${Type} ${String(Properties[name])}`);

const fixed = ({ Resources: all }: Template): Resources =>
  Object.fromEntries(
    Object.entries(all)
      .map(([id, { Type, Properties = {} }]) => {
        const isFixed = (name: string) => ['yes', 'maybe'].includes(typed.get(Type)?.[name]?.causesReplacement ?? 'no');
        const kept = Object.entries(Properties).filter(([name]) => isFixed(name));
        return [id, { Type, Properties: Object.fromEntries(kept) }] as const;
      })
      .filter(([, each]) => CARRYING.test(each.Type) || namesOf(each).length > 0),
  );

const ROLE = 'arn:aws:iam::123456789012:role/platform';
const FULL = {
  platform: ROLE,
  operator: ROLE,
  alarms: ['a@example.com'],
  domain: 'acme.example.com',
  certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/1',
  objectives: true,
  canary: true,
  webAcl: 'own',
} satisfies Partial<Settings>;

/** Between them they have every resource. */
const today: Readonly<Record<string, Resources>> = {
  production: fixed(templateOf({ company: 'acme', stage: 'production', ...FULL })),
  sandbox: fixed(templateOf({ company: 'acme', stage: 'sandbox', platform: ROLE, webAcl: 'account' })),
  account: fixed(accountTemplateOf(SHARED.account)),
};

const fileOf = (version: string) => join(folderOf(version), 'templates.json');
if (process.env['FREEZE'] !== undefined) {
  mkdirSync(folderOf(packageFile.version), { recursive: true });
  writeFileSync(fileOf(packageFile.version), `${JSON.stringify(today, null, 1)}\n`);
}

/** What the update or its rollback takes away, and what stops it because CloudFormation creates before it deletes. */
function losses(from: Resources, to: Resources): string[] {
  const taken = new Set(Object.values(from).flatMap(namesOf));
  const typesBefore = new Set(Object.values(from).map(({ Type }) => Type));
  const before = Object.entries(from).flatMap(([id, each]) => {
    if (!CARRYING.test(each.Type)) return [];
    const now = to[id];
    if (now === undefined) return [`deletes ${id}`];
    return JSON.stringify(now) === JSON.stringify(each) ? [] : [`replaces ${id}`];
  });
  const after = Object.entries(to).flatMap(([id, each]) => {
    if (id in from) return [];
    const strips = SINGLE.has(each.Type.slice('AWS::'.length)) && typesBefore.has(each.Type);
    return [...(strips ? [`deletes ${id} in a rollback`] : []), ...namesOf(each).filter((name) => taken.has(name))];
  });
  return [...before, ...after];
}

it.each(releases().flatMap((version) => Object.keys(today).map((kind) => [version, kind] as const)))(
  'release %s, %s: an update to today’s template, and its rollback, lose nothing',
  (version, kind) => {
    const frozen = JSON.parse(readFileSync(fileOf(version), 'utf8')) as typeof today;
    expect(Object.keys(frozen[kind] ?? {}).length).toBeGreaterThan(20);
    expect(losses(frozen[kind] ?? {}, today[kind] ?? {})).toEqual([]);
  },
);

describe('the model finds', () => {
  const { production = {} } = today;
  const renamed = (start: string): Resources =>
    Object.fromEntries(Object.entries(production).map(([id, each]) => [id.startsWith(start) ? `${id}2` : id, each]));
  const changed = (type: string, Properties: object): Resources =>
    Object.fromEntries(
      Object.entries(production).map(([id, each]) => [id, each.Type === type ? { ...each, Properties } : each]),
    ) as Resources;
  const ACL = 'HttpWebAclAssociation';

  it.each([
    ['a renamed association of the web ACL', renamed(ACL), [/^deletes HttpWeb/, /^deletes HttpWeb\w+ in a rollback$/]],
    ['a table with another key', changed('AWS::DynamoDB::GlobalTable', { KeySchema: [] }), [/^replaces Table/]],
    ['an alarm with another id and the same name', renamed('AlarmsServerErrors'), [/^AWS::CloudWatch::Alarm course/]],
  ])('%s', (_, to, found) => {
    expect(losses(production, to)).toEqual(found.map((each) => expect.stringMatching(each)));
  });
});
