import * as v from 'valibot';
import { cliOf, describedStacks } from '../aws-cli.ts';
import type { Target } from './plan.ts';

export type DeployedStack = Awaited<ReturnType<typeof describedStacks>>[number];

/** Every stack of the targets' regions, by its name. @throws Error if the AWS CLI is missing or fails */
export async function deployedStacks(targets: readonly Target[]): Promise<ReadonlyMap<string, DeployedStack>> {
  const found: DeployedStack[] = [];
  for (const region of new Set(targets.map((target) => target.region)))
    found.push(...(await describedStacks(cliOf(region))));
  return new Map(found.map((stack) => [stack.name, stack]));
}

export const versionOf = (stack: DeployedStack | undefined): string => stack?.outputs.get('Version') ?? '';

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
  const { StackEvents } = v.parse(KEPT, await cliOf(region)('read what the creation left', args));
  const kept = StackEvents.filter(({ ResourceStatus }) => ResourceStatus === 'DELETE_SKIPPED');
  return [...new Set(kept.map(({ ResourceType, PhysicalResourceId }) => `${ResourceType} ${PhysicalResourceId}`))];
}

export function versionLines(targets: readonly Target[], deployed: ReadonlyMap<string, DeployedStack>): string[] {
  const rows = targets.map(({ company, stage, stack }) => {
    const found = deployed.get(stack);
    return [company, stage, found ? versionOf(found) : '–', found?.status ?? 'not deployed'];
  });
  const width = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(width(at)))
      .join('  ')
      .trimEnd(),
  );
}
