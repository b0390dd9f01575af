import { dependencyFault } from '../runtime/faults.ts';

/** Awaits a call to the database. A transient fault becomes `TemporarilyUnavailable`; any other is a fault of this service. */
export async function translated<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw dependencyFault(error, 'The database');
  }
}

/** Whether a conditional write succeeded: false where its condition does not hold. */
export async function conditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await translated(write);
    return true;
  } catch (error) {
    if (isFailedCondition(error)) return false;
    throw error;
  }
}

export function isFailedCondition(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

const TOO_LARGE = /item size.* exceeded the maximum allowed size/i;

/** Whether a write was refused because the item would outgrow what the database holds (400 KB). */
export function isItemTooLarge(message: string | undefined): boolean {
  return message !== undefined && TOO_LARGE.test(message);
}
