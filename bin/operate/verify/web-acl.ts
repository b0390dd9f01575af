/** Whether a web ACL protects an API, which only the account can show. */
import * as v from 'valibot';
import { awsCli } from '../aws-cli.ts';
import { type Check, check, must } from './checks.ts';

const FOUND = v.object({ WebACL: v.exactOptional(v.object({ Name: v.string() })) });

/** @param stageArn ARN of the stage of an API: the output `ApiStageArn` of a stack */
export const webAclCheck = (stageArn: string): Check =>
  check('A web ACL protects the API.', async () => {
    const region = stageArn.split(':')[3];
    const args = ['wafv2', 'get-web-acl-for-resource', '--resource-arn', stageArn];
    const { WebACL } = v.parse(FOUND, await awsCli('read the web ACL', args, region));
    must(WebACL !== undefined, 'None is associated with its stage: docs/runbook.md, “Change the web ACL”.');
    return WebACL.Name;
  });
