import { dependencyFault, isTransientName } from '../runtime/faults.ts';

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

interface Cancellation {
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/**
 * The position of the write whose failed condition cancelled a transaction; `undefined` if a transient fault cancelled it. Any
 * other error is thrown.
 */
export function failedPosition(error: unknown): number | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException')
    throw dependencyFault(error, 'The database');
  const { CancellationReasons = [] }: Error & Cancellation = error;
  const codes = CancellationReasons.map(({ Code = 'None' }) => Code);
  const refused = codes.indexOf('ConditionalCheckFailed');
  if (refused !== -1) return refused;
  if (!codes.some((code) => code !== 'None' && !isTransientName(code))) return undefined;
  throw new Error(`The database cancelled a transaction: ${codes.join(', ')}.`);
}

const TOO_LARGE = /item size.* exceeded the maximum allowed size/i;

/** Whether a write was refused because the item would exceed the limit of the database (400 KB). */
export function isItemTooLarge(message: string | undefined): boolean {
  return message !== undefined && TOO_LARGE.test(message);
}
