/** A parameter of SSM that CloudFormation writes after the check: a rolled back deployment leaves the former one. */
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import * as v from 'valibot';
import type { CustomResourceEvent, CustomResourceResult } from './custom-resource.ts';
import * as ENV from '../runtime/variables.ts';
import { PATIENT_CLIENT } from '../runtime/faults.ts';
import { systemWaiting, type Waiting } from '../runtime/system.ts';

/** The value of the parameter, as JSON: numbers as text, as CloudFormation sends them to the check. */
const DEPLOYED = v.object({
  SigningKey: v.string(),
  Writes: v.string(),
  Names: v.array(v.string()),
});

type DeployedSettings = v.InferOutput<typeof DEPLOYED>;

/** A request of CloudFormation with the settings of the next deployment, and what may be forgotten. */
export interface SettingsEvent extends CustomResourceEvent {
  readonly ResourceProperties: DeployedSettings & {
    readonly Reads: readonly string[];
    readonly Forget: readonly string[];
    readonly File: string;
  };
}

/** Returns the value of the parameter; none in a first deployment. */
type ReadDeployed = () => Promise<string | undefined>;

/** Reads the parameter of SSM. A role that was just made is denied for a while, so it waits up to a minute. */
export function deployedParameter(environment: ENV.Environment): ReadDeployed {
  const client = new SSMClient(PATIENT_CLIENT);
  const Name = ENV.variable(environment, ENV.settingsParameter);
  return () => patientWithIam(() => valueOf(client, Name), systemWaiting);
}

async function valueOf(client: SSMClient, Name: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetParameterCommand({ Name }))).Parameter?.Value;
  } catch (error) {
    if (error instanceof Error && error.name === 'ParameterNotFound') return undefined;
    throw error;
  }
}

/** IAM may deny a role for some seconds after it was made. */
const NEW_ROLE_MS = 60_000;
const BETWEEN_MS = 2_000;

/** Repeats a call that IAM denies, for a minute. @throws the error of the last call */
export async function patientWithIam<Result>(
  call: () => Promise<Result>,
  { sleep }: Pick<Waiting, 'sleep'>,
): Promise<Result> {
  for (let waitedMs = 0; ; waitedMs += BETWEEN_MS) {
    try {
      return await call();
    } catch (error) {
      const isDenied = error instanceof Error && error.name.startsWith('AccessDenied');
      if (!isDenied || waitedMs >= NEW_ROLE_MS) throw error;
      await sleep(BETWEEN_MS);
    }
  }
}

/** `Create`: a deployment with these settings; `Delete`: the end of another. @throws Error of what would be lost */
export async function checkSettings(
  { RequestType, PhysicalResourceId = 'settings', ResourceProperties: next }: SettingsEvent,
  read: ReadDeployed,
): Promise<CustomResourceResult> {
  const value = RequestType === 'Delete' ? undefined : await read();
  const problems = value === undefined ? [] : problemsOf(v.parse(DEPLOYED, JSON.parse(value)), next);
  if (problems.length > 0) throw new Error(problems.join(' '));
  return { PhysicalResourceId };
}

function problemsOf(deployed: DeployedSettings, next: SettingsEvent['ResourceProperties']): readonly string[] {
  if (!next.Reads.includes(deployed.Writes))
    return [
      `The stack writes format ${deployed.Writes}, and this release reads ${next.Reads.join(' and ')}: deploy a release between them first.`,
    ];
  const lost = lostSettings(deployed, next);
  return lost.length === 0 ? [] : [...lost, `Settings belong in ${next.File}.`];
}

/** One sentence for each deployed setting that would be lost without notice. */
function lostSettings(deployed: DeployedSettings, next: SettingsEvent['ResourceProperties']): readonly string[] {
  const lost = deployed.Names.filter((name) => !next.Names.includes(name) && !next.Forget.includes(name));
  const sentences = lost.map((name) => `${name} is deployed and not set now: set it, or name it in forget.`);
  return Number(next.SigningKey) >= Number(deployed.SigningKey)
    ? sentences
    : [
        ...sentences,
        `signing-key is ${next.SigningKey}, but ${deployed.SigningKey} is deployed: set it or a higher one.`,
      ];
}
