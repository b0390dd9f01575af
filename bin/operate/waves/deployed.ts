import * as v from 'valibot';
import { awsCli, cliOf, describedStacks } from '../aws-cli.ts';
import type { Target } from './plan.ts';

export interface DeployedStack {
  readonly version: string;
  /** Such as `UPDATE_ROLLBACK_COMPLETE`. */
  readonly status: string;
  readonly baseUrl: string;
  readonly stageArn: string;
}

/** Every stack of the targets' regions, by its name. @throws Error if the AWS CLI is missing or fails */
export async function deployedStacks(targets: readonly Target[]): Promise<ReadonlyMap<string, DeployedStack>> {
  const found = new Map<string, DeployedStack>();
  for (const region of new Set(targets.map((target) => target.region))) {
    for (const { name, status, outputs } of await describedStacks(cliOf(region))) {
      const output = (key: string) => outputs.get(key) ?? '';
      found.set(name, {
        version: output('Version'),
        status,
        baseUrl: output('BaseUrl'),
        stageArn: output('ApiStageArn'),
      });
    }
  }
  return found;
}

const KEPT = v.object({
  StackEvents: v.array(
    v.object({
      ResourceStatus: v.exactOptional(v.string()),
      ResourceType: v.string(),
      PhysicalResourceId: v.exactOptional(v.string(), ''),
    }),
  ),
});

/** The resources that CloudFormation kept when it took the stack back: type and name of each. */
export async function leftBy(stack: string, region?: string): Promise<string[]> {
  const args = ['cloudformation', 'describe-stack-events', '--stack-name', stack];
  const { StackEvents } = v.parse(KEPT, await awsCli('read what the creation left', args, region));
  const kept = StackEvents.filter(({ ResourceStatus }) => ResourceStatus === 'DELETE_SKIPPED');
  return [...new Set(kept.map(({ ResourceType, PhysicalResourceId }) => `${ResourceType} ${PhysicalResourceId}`))];
}

export function versionLines(targets: readonly Target[], deployed: ReadonlyMap<string, DeployedStack>): string[] {
  const rows = targets.map(({ company, stage, stack }) => {
    const { version = '–', status = 'not deployed' } = deployed.get(stack) ?? {};
    return [company, stage, version, status];
  });
  const width = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(width(at)))
      .join('  ')
      .trimEnd(),
  );
}
