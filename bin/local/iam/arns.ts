/** ARNs of what the engines hold. */
import { ACCOUNT, REGION } from '../template.ts';

export const tableArn = (name: string): string => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;

export const queueArn = (name: string): string => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;

/** `id`: a key's id or its ARN. */
export const keyArn = (id: string): string =>
  id.startsWith('arn:') ? id : `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`;

export const parameterArn = (name: string): string => `arn:aws:ssm:${REGION}:${ACCOUNT}:parameter${name}`;

export const eventBusArn = (name = 'default'): string => `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/${name}`;
