/** What the account of a deployer demands of every stack: a bootstrap of its own, a permissions boundary, tags. */
import {
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  PermissionsBoundary,
  type Stack,
  type StackProps,
  Tags,
} from 'aws-cdk-lib/core';
import type { Settings } from './settings.ts';

export type LandingZone = Pick<Settings, 'qualifier' | 'permissionsBoundary' | 'tags'>;

/** The bootstrap that deploys the stack, and the boundary of all its roles. */
export const propsOf = ({ qualifier, permissionsBoundary }: LandingZone): StackProps => ({
  ...(qualifier !== undefined && {
    // `qualifier` may be undefined, which the type of `StackProps` does not allow.
    synthesizer: new DefaultStackSynthesizer({ qualifier }) as IStackSynthesizer,
  }),
  ...(permissionsBoundary !== undefined && { permissionsBoundary: PermissionsBoundary.fromName(permissionsBoundary) }),
});

export function addTags(stack: Stack, { tags = {} }: LandingZone): void {
  for (const [name, value] of Object.entries(tags)) Tags.of(stack).add(name, value);
}

export type Outputs = Readonly<Record<string, readonly [value: string, description: string]>>;
