import {
  CfnDeletionPolicy,
  CfnDynamicReference,
  CfnDynamicReferenceService,
  CfnResource,
  Stack,
} from 'aws-cdk-lib/core';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { ROUTES } from '../../functions/shared/routes.ts';
import type { AccountSettings } from '../account/account-settings.ts';
import type { Settings } from '../settings.ts';

/** Requests of one address in a minute. The API takes some 260 a second of all, of which 10 are logins and 10 refreshes. */
const PER_MINUTE = { any: 3_000, authenticating: 60 } as const;
const WINDOW_SECONDS = 60;
const AUTHENTICATING = new Set<string>(['login', 'refresh-token']);

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
 * comes last of the stack, so no rollback meets it.
 */
export function protect(scope: Construct, stage: Stage, setting: WebAclSetting | undefined): void {
  if (setting === undefined) return;
  const part = new Construct(scope, 'WebAcl');
  const webAclArn = arnOf(part, setting);
  const others = Stack.of(part).node.findAll();
  const association = new CfnWebACLAssociation(part, 'Association', { resourceArn: stage.stageArn, webAclArn });
  association.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
  for (const other of others) if (other instanceof CfnResource) association.addResourceDependency(other);
}

function arnOf(scope: Construct, setting: WebAclSetting): string {
  if (setting === 'own') return rateLimits(scope).attrArn;
  if (setting !== 'account') return setting;
  return new CfnDynamicReference(CfnDynamicReferenceService.SSM, WEB_ACL_PARAMETER).toString();
}

/** A web ACL that limits what one address sends to the APIs that it is associated with, taken together. */
export function rateLimits(scope: Construct): CfnWebACL {
  return new CfnWebACL(scope, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visible('All'),
    rules: [
      rateRule(0, 'Logins', PER_MINUTE.authenticating, authenticating()),
      rateRule(1, 'Requests', PER_MINUTE.any),
    ],
  });
}

const visible = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
});

function rateRule(
  priority: number,
  name: string,
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
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
        aggregateKeyType: 'IP',
        ...(scopeDownStatement && { scopeDownStatement }),
      },
    },
  };
}

/** The path that the ACL sees begins with the stage, and may be percent-encoded. */
function authenticating(): CfnWebACL.StatementProperty {
  const paths = ROUTES.filter(({ name }) => AUTHENTICATING.has(name)).map(({ path }) => path);
  const statements = paths.map((searchString) => ({
    byteMatchStatement: {
      searchString,
      positionalConstraint: 'ENDS_WITH',
      fieldToMatch: { uriPath: {} },
      textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
    },
  }));
  return { orStatement: { statements } };
}
