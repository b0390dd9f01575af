/** A web ACL in front of the API: an address that sends too much is refused before it can use up what all callers share. */
import { Stack } from 'aws-cdk-lib/core';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { ROUTES } from '../../functions/shared/routes.ts';

/** Requests of one address in a minute. The API as a whole takes 100 a second, and 10 logins and refreshes a second. */
const PER_MINUTE = { any: 3_000, authenticating: 60 } as const;
const WINDOW_SECONDS = 60;
const AUTHENTICATING = new Set<string>(['login', 'refresh-token']);

/** What the setting `web-acl` says: a web ACL of the stack's own, or the ARN of one that exists. */
export type WebAclSetting = 'own' | (string & {});

export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { stage, setting }: { stage: Stage; setting: WebAclSetting }) {
    super(scope, id);
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: stage.stageArn,
      webAclArn: setting === 'own' ? this.#own() : setting,
    });
  }

  #own(): string {
    return new CfnWebACL(this, 'Acl', {
      name: Stack.of(this).stackName,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('All'),
      rules: [
        rateRule(0, 'Logins', PER_MINUTE.authenticating, authenticating()),
        rateRule(1, 'Requests', PER_MINUTE.any),
      ],
    }).attrArn;
  }
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
