/** Tags by which alarms and bills find the resources of this application. */
import { Tags } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/** Value of the tag `application` of every resource. */
export const APPLICATION = 'course-progress-migration';

/** Alarms of the account stack that watch some resources of a stack, not all of their type: each watched metric has a price. */
export type WatchedByTag = 'CanaryFails' | 'MessagesWait' | 'WatchdogFails';

/** Lets an alarm of the account stack watch this resource. */
export const watch = (resource: IConstruct, alarm: WatchedByTag): void => Tags.of(resource).add('alarm', alarm);
