import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Cloud } from '../design.ts';
import type { Contribution, CourseHistory, LearnerCourse, Progress } from '../../../functions/shared/model.ts';

type Key = { readonly pk: string; readonly sk: string };

/** Eventually consistent unless asked, as the SDK has it. */
export async function get<T>({ client, table }: Cloud, key: Key, ConsistentRead = false): Promise<T | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead }));
  return Item as T | undefined;
}

export async function put({ client, table }: Cloud, item: Key & Record<string, unknown>): Promise<void> {
  await client.send(new PutCommand({ TableName: table, Item: item }));
}

/** False where an item of that key is there already. */
export async function putIfAbsent({ client, table }: Cloud, item: Key & Record<string, unknown>): Promise<boolean> {
  try {
    const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
    await client.send(new PutCommand({ TableName: table, Item: item, ...condition }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

export const identityKey = (company: string, id: string) => ({ pk: `${company}#record#${id}`, sk: 'record' });
export const importKey = (company: string, id: string) => ({ pk: `${company}#import#${id}`, sk: 'import' });
export const resultKey = (company: string, id: string, index: number) => ({
  pk: `${company}#import#${id}`,
  sk: `result#${String(index).padStart(4, '0')}`,
});
export const progressKey = (company: string, { user_id, platform_course_id }: LearnerCourse) => ({
  pk: `${company}#learner#${user_id}`,
  sk: `course#${platform_course_id}`,
});

/** A learner's progress in a course: the organic progress and a list of contributions. */
export interface ProgressItem {
  readonly native?: Progress;
  readonly contributions: readonly Contribution[];
}

export function learnerCourseOf(pair: LearnerCourse, item: ProgressItem | undefined): CourseHistory | undefined {
  return item && { ...pair, native: item.native ?? null, contributions: item.contributions, items: 1 };
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/#record#/, 'identity'],
  [/#learner#/, 'learner-course'],
  [/\nresult#/, 'result'],
  [/\nimport$/, 'import'],
  [/#user#/, 'user'],
  [/#catalog#[^\n]*\n/, 'course'],
];

export function kindOfKey(pk: string, sk: string): string {
  return KINDS.find(([pattern]) => pattern.test(`${pk}\n${sk}`))?.[1] ?? 'access';
}
