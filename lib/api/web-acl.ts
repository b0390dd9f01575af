import { CfnDeletionPolicy, CfnDynamicReference, CfnDynamicReferenceService, CfnResource } from 'aws-cdk-lib/core';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { RouteName } from '../../functions/shared/routes.ts';
import type { AccountSettings } from '../account/account-settings.ts';
import type { Settings } from '../settings.ts';
import { PREFLIGHTS, rateOf } from './rates.ts';

const WINDOW_SECONDS = 60;
/** Of the rate that API Gateway gives a method, one address may take a third: others keep two thirds. */
const SHARE = 1 / 3;
/** Far below the rate: guessing passwords needs many logins. */
const LOGINS_PER_MINUTE = 60;

/** Requests that share a limit: the rate of its slowest method decides it. */
interface Group {
  readonly name: string;
  readonly methods: readonly RouteName[];
  readonly statement: Statement;
}

type Statement = CfnWebACL.StatementProperty;

const not = (statement: Statement): Statement => ({ notStatement: { statement } });
const all = (...statements: Statement[]): Statement => ({ andStatement: { statements } });

/** The path that the ACL sees begins with the stage, and may be percent-encoded. */
const DECODED = [{ priority: 0, type: 'URL_DECODE' }];
const AS_IT_IS = [{ priority: 0, type: 'NONE' }];
const LOWER_CASE = [{ priority: 0, type: 'LOWERCASE' }];

const method = (name: string): Statement => ({
  regexMatchStatement: { regexString: `^${name}$`, fieldToMatch: { method: {} }, textTransformations: AS_IT_IS },
});

/** Anchored at both ends: an encoded slash in a parameter makes no other path of it. */
const path = (pattern: string): Statement => ({
  regexMatchStatement: {
    regexString: `^(/[a-z]+)?${pattern}$`,
    fieldToMatch: { uriPath: {} },
    textTransformations: DECODED,
  },
});
const COMPANY = '/v1/migrations/[^/]+';

const IS_LOGIN = path('/api/v1/auth/(login|refresh-token)');
const IS_PREFLIGHT = method('OPTIONS');
const IS_IMPORT = all(method('POST'), path(`${COMPANY}/progress/imports`));
const IS_POLL = all(method('GET'), path(`${COMPANY}/progress/imports/[^/]+`));
const IS_READ = all(method('GET'), path(`${COMPANY}/progress/(learners|imports/[^/]+/records)`));
const IS_CALL = path(`${COMPANY}/(catalog/(courses|mappings)|users/(resolve|mappings)|progress/runs/[^/]+/records)`);
const HAS_TOKEN: Statement = {
  byteMatchStatement: {
    searchString: 'bearer ',
    positionalConstraint: 'STARTS_WITH',
    fieldToMatch: { singleHeader: { Name: 'authorization' } },
    textTransformations: LOWER_CASE,
  },
};

/** What is in no other group has the strictest limit, so that no spelling of a path leads around it. */
const GROUPS: readonly Group[] = [
  { name: 'WithoutToken', methods: ['get-openapi'], statement: all(not(HAS_TOKEN), not(IS_LOGIN), not(IS_PREFLIGHT)) },
  { name: 'Preflights', methods: [], statement: IS_PREFLIGHT },
  { name: 'Imports', methods: ['start-import'], statement: IS_IMPORT },
  { name: 'Polls', methods: ['get-import'], statement: IS_POLL },
  { name: 'Reads', methods: ['list-import-records', 'get-learner'], statement: IS_READ },
  { name: 'Calls', methods: ['list-courses', 'resolve-users'], statement: IS_CALL },
  {
    name: 'Searches',
    methods: ['list-runs'],
    statement: all(...[IS_LOGIN, IS_PREFLIGHT, IS_IMPORT, IS_POLL, IS_READ, IS_CALL].map(not)),
  },
];

/** A web ACL of the stack's own, that of the account stack, or the ARN of one that exists. */
export type WebAclSetting = 'own' | 'account' | (string & {});

/** Where the account stack writes the ARN of its web ACL. CloudFormation reads it when a stack is deployed. */
export const WEB_ACL_PARAMETER = '/course-progress-migration/web-acl';

/** The web ACL of a stack: that of its settings, or that of the account stack, if there is one. */
export const webAclSetting = (
  { webAcl }: Pick<Settings, 'webAcl'>,
  account: Pick<AccountSettings, 'web-acl'> = {},
): WebAclSetting | undefined =>
  webAcl === 'none' ? undefined : (webAcl ?? (account['web-acl'] === true ? 'account' : undefined));

/**
 * A stage has one web ACL, and deleting an association names the stage only: so a change replaces it and keeps the former one. It
 * comes last of the service, so no rollback meets it.
 */
export function protect(
  service: Construct,
  http: Construct & { readonly api: { readonly deploymentStage: Stage } },
  setting: WebAclSetting | undefined,
  warm?: number,
): void {
  if (setting === undefined) return;
  const part = new Construct(http, 'WebAcl');
  const webAclArn = arnOf(part, setting, warm);
  const others = service.node.findAll();
  const association = new CfnWebACLAssociation(part, 'Association', {
    resourceArn: http.api.deploymentStage.stageArn,
    webAclArn,
  });
  association.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
  for (const other of others) if (other instanceof CfnResource) association.addResourceDependency(other);
}

function arnOf(scope: Construct, setting: WebAclSetting, warm?: number): string {
  if (setting === 'own') return rateLimits(scope, warm).attrArn;
  if (setting !== 'account') return setting;
  return new CfnDynamicReference(CfnDynamicReferenceService.SSM, WEB_ACL_PARAMETER).toString();
}

/** A web ACL that limits what one address sends to one API. @param warm of the stack whose own it is */
export function rateLimits(scope: Construct, warm?: number): CfnWebACL {
  const limitOf = ({ methods }: Group): number => {
    const rates = methods.length === 0 ? [PREFLIGHTS] : methods.map((name) => rateOf(name, warm));
    const slowest = Math.min(...rates.map(({ throttlingRateLimit }) => throttlingRateLimit));
    return Math.floor(slowest * WINDOW_SECONDS * SHARE);
  };
  return new CfnWebACL(scope, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visible('All'),
    rules: [
      rateRule(0, 'Logins', LOGINS_PER_MINUTE, IS_LOGIN),
      ...GROUPS.map((group, at) => rateRule(at + 1, group.name, limitOf(group), group.statement)),
    ],
  });
}

const visible = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
});

/** An address is counted for each API apart: one that calls a whole fleet has the limit for each stack. */
function rateRule(
  priority: number,
  name: string,
  limit: number,
  scopeDownStatement: Statement,
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: {} },
    visibilityConfig: visible(name),
    statement: {
      rateBasedStatement: {
        limit,
        evaluationWindowSec: WINDOW_SECONDS,
        aggregateKeyType: 'CUSTOM_KEYS',
        customKeys: [{ ip: {} }, { header: { name: 'host', textTransformations: LOWER_CASE } }],
        scopeDownStatement,
      },
    },
  };
}
