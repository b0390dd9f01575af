import type { FunctionSpec } from './function-environment.ts';
import { resolveIntrinsics } from './intrinsics.ts';
import { LocalFunction } from './local-function.ts';
import { ACCOUNT, type PhysicalResources, REGION } from './physical-resources.ts';
import { type Properties, type Resource, type Template, resourcesOfType } from './template.ts';

/** As many execution environments of one function as a small machine has use for. */
export const MOST_CONCURRENT = 4;

/** What Lambda takes where the template is silent. */
const DEFAULT_TIMEOUT_SECONDS = 3;
const DEFAULT_MEMORY_MB = 128;

/** What the SDK takes without a warning. */
const LONGEST_APP_ID = 50;

/** The template's functions by ARN. None is started before it is invoked. */
export type Functions = ReadonlyMap<string, LocalFunction>;

/** Makes the functions known to the resources first, since they may name each other, then describes each. */
export function localFunctions(
  template: Template,
  resources: PhysicalResources,
  environment: Readonly<Record<string, string>>,
  onLogLine: (line: string) => void,
): Functions {
  const declared = resourcesOfType(template, 'AWS::Lambda::Function');
  for (const [id] of declared) resources.set(id, { ref: id, attributes: { Arn: functionArn(id) } });
  return new Map(
    declared.map(([id, raw, resource]) => {
      const properties = resolveIntrinsics(raw, resources) as Properties;
      return [
        functionArn(id),
        new LocalFunction(specOf(id, properties, resource, environment), MOST_CONCURRENT, onLogLine),
      ];
    }),
  );
}

export const functionArn = (id: string): string => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${id}`;

function specOf(
  name: string,
  properties: Properties,
  resource: Resource,
  shared: Readonly<Record<string, string>>,
): FunctionSpec {
  const memoryMb = Number(properties['MemorySize'] ?? DEFAULT_MEMORY_MB);
  const own = (properties['Environment'] as { Variables?: Record<string, string> } | undefined)?.Variables ?? {};
  return {
    name,
    bundle: String(resource.Metadata?.['aws:asset:path']),
    memoryMb,
    timeoutMs: Number(properties['Timeout'] ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    environment: {
      ...shared,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      TZ: ':UTC',
      // Named in the user agent of its calls, so that whoever watches them knows whose they are.
      AWS_SDK_UA_APP_ID: name.slice(0, LONGEST_APP_ID),
      ...own,
    },
  };
}
