import type { Endpoints } from './endpoints.ts';
import { EventSource } from './event-source.ts';
import { type Functions, MOST_CONCURRENT, functionArn } from './functions.ts';
import { resolveIntrinsics } from './intrinsics.ts';
import type { PhysicalResources } from './physical-resources.ts';
import { type Properties, type Template, resourcesOfType } from './template.ts';

const DEFAULT_BATCH = 10;

/** Starts every queue-to-function mapping of the template. */
export function startEventSources(
  template: Template,
  resources: PhysicalResources,
  functions: Functions,
  endpoints: Endpoints,
): EventSource[] {
  return resourcesOfType(template, 'AWS::Lambda::EventSourceMapping').map(([id, raw]) => {
    const properties = resolveIntrinsics(raw, resources) as Properties;
    const queueArn = String(properties['EventSourceArn']);
    const target = functions.get(functionArn(String(properties['FunctionName'])));
    if (target === undefined) throw new Error(`The event source ${id} has no function`);
    const scaling = properties['ScalingConfig'] as { MaximumConcurrency?: number } | undefined;
    const spec = {
      endpoint: endpoints.sqs,
      queueUrl: queueUrl(template, resources, queueArn),
      queueArn,
      batchSize: Number(properties['BatchSize'] ?? DEFAULT_BATCH),
      maximumConcurrency: Math.min(MOST_CONCURRENT, scaling?.MaximumConcurrency ?? MOST_CONCURRENT),
      reportsFailures: ((properties['FunctionResponseTypes'] ?? []) as string[]).includes('ReportBatchItemFailures'),
    };
    return new EventSource(spec, target);
  });
}

function queueUrl(template: Template, resources: PhysicalResources, arn: string): string {
  const queue = resourcesOfType(template, 'AWS::SQS::Queue').find(([id]) => resources.attribute(id, 'Arn') === arn);
  if (queue === undefined) throw new Error(`No queue has the ARN ${arn}`);
  return resources.ref(queue[0]);
}
