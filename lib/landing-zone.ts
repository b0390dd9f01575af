/** What the account of a deployer demands of every stack: a bootstrap of its own, a permissions boundary, tags. */
import {
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  PermissionsBoundary,
  type StackProps,
  Tags,
} from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import type { Settings } from './settings.ts';

type LandingZone = Pick<Settings, 'account' | 'region' | 'qualifier' | 'permissionsBoundary'>;

/** The account and region of the stack, the bootstrap that deploys it, and the boundary of all its roles. */
export const propsOf = ({ account, region, qualifier, permissionsBoundary }: LandingZone): StackProps => ({
  ...(account !== undefined && region !== undefined && { env: { account, region } }),
  ...(qualifier !== undefined && {
    // `qualifier` may be undefined, which the type of `StackProps` does not allow.
    synthesizer: new DefaultStackSynthesizer({ qualifier }) as IStackSynthesizer,
  }),
  ...(permissionsBoundary !== undefined && { permissionsBoundary: PermissionsBoundary.fromName(permissionsBoundary) }),
});

/** Tags every resource of the scope that can have tags. */
export function addTags(scope: IConstruct, tags: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(tags)) Tags.of(scope).add(name, value);
}

/** The outputs of a stack by their names. */
export type Outputs = Readonly<Record<string, readonly [value: string, description: string]>>;
