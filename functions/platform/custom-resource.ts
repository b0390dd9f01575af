/** The protocol of CloudFormation's custom resources. */

/** The request of CloudFormation. Without a `ResponseURL` the caller reads the return value instead. */
export interface CustomResourceEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL?: string;
  readonly StackId?: string;
  readonly RequestId?: string;
  readonly LogicalResourceId?: string;
  readonly PhysicalResourceId?: string;
}

/** A changed id makes CloudFormation delete the resource with the former one. */
export interface CustomResourceResult {
  readonly PhysicalResourceId: string;
  readonly Data?: Readonly<Record<string, unknown>>;
}

/** CloudFormation accepts a response of 4,096 bytes; a character may need four, and the rest of the response some hundred. */
const LONGEST_REASON = 900;

/** Reports the outcome to CloudFormation, which else waits for it; without an address it returns or throws. */
export async function respondToCustomResource(
  event: CustomResourceEvent,
  work: () => Promise<CustomResourceResult>,
): Promise<CustomResourceResult | undefined> {
  if (event.ResponseURL === undefined) return work();
  await send(event.ResponseURL, event, await outcomeOf(event, work));
  return undefined;
}

async function outcomeOf(event: CustomResourceEvent, work: () => Promise<CustomResourceResult>) {
  try {
    return { Status: 'SUCCESS', ...(await work()) };
  } catch (error) {
    const Reason = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON);
    return { Status: 'FAILED', Reason, PhysicalResourceId: event.PhysicalResourceId ?? 'not-created' };
  }
}

async function send(
  url: string,
  event: CustomResourceEvent,
  outcome: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { StackId, RequestId, LogicalResourceId } = event;
  const body = JSON.stringify({ StackId, RequestId, LogicalResourceId, ...outcome });
  // The address is signed for an empty content type.
  const response = await fetch(url, { method: 'PUT', body, headers: { 'content-type': '' } });
  if (!response.ok) throw new Error(`CloudFormation did not accept the response (${response.status}).`);
}
