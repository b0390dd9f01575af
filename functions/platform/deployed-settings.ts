/**
 * The settings of a stack's last deployment: their names, the number of the signing key and the written format, in a tag of the
 * chunk queue, which lives exactly as long as the stack. (The table does not: a restored one takes its place.)
 */
import { ListQueueTagsCommand, SQSClient, TagQueueCommand } from '@aws-sdk/client-sqs';
import type { CustomResourceEvent, CustomResourceResult } from './custom-resource.ts';
import { ENV, variable } from '../runtime/environment.ts';
import type { Environment } from '../runtime/environment.ts';
import { PATIENT_CLIENT } from '../runtime/faults.ts';
import { systemWaiting, type Waiting } from '../runtime/system.ts';

/** The properties of the resource, as CloudFormation sends them: numbers as text. */
export interface SettingsEvent extends CustomResourceEvent {
  readonly ResourceProperties: {
    readonly SigningKey: string;
    /** The format that this release writes, and those that it reads. */
    readonly Writes: string;
    readonly Reads: readonly string[];
    /** Names of the settings that are set. */
    readonly Names: readonly string[];
    /** Names of settings that may be left out from now on. */
    readonly Forget: readonly string[];
    /** Where to write settings. */
    readonly File: string;
  };
}

export interface DeployedSettings {
  readonly signingKey: number;
  readonly format: number;
  readonly names: readonly string[];
}

type Kept = Pick<DeployedSettings, 'signingKey' | 'names'>;

const DEPLOYED = 'deployed-settings';
const FORMER = 'former-settings';

export type QueueTags = ReturnType<typeof queueTags>;

/** Tags of the queue that the function's environment names. */
export function sqsQueueTags(environment: Environment): QueueTags {
  const client = new SQSClient({ ...PATIENT_CLIENT, useQueueUrlAsEndpoint: false });
  return queueTags(client, variable(environment, ENV.chunkQueueUrl));
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

export function queueTags(client: Pick<SQSClient, 'send'>, QueueUrl: string) {
  const list = () => client.send(new ListQueueTagsCommand({ QueueUrl }));
  return {
    async read(): Promise<Readonly<Record<string, string>>> {
      return (await patientWithIam(list, systemWaiting)).Tags ?? {};
    },
    async write(Tags: Record<string, string>): Promise<void> {
      await patientWithIam(() => client.send(new TagQueueCommand({ QueueUrl, Tags })), systemWaiting);
    },
  };
}

/**
 * Compares a deployment with the one before it, and stores its settings. Each set of settings is a resource of its own:
 * `Create` is a deployment that sets them, `Delete` of the current one is a deployment that CloudFormation rolls back.
 *
 * @throws Error that names each setting that would be lost, or the format that this release could not read
 */
export async function checkSettings(
  { RequestType, ResourceProperties }: SettingsEvent,
  tags: QueueTags,
): Promise<CustomResourceResult> {
  const { SigningKey, Writes, Reads, Names, Forget, File } = ResourceProperties;
  const next = textOf({ signingKey: Number(SigningKey), format: Number(Writes), names: Names });
  const { [DEPLOYED]: deployed, [FORMER]: former } = await tags.read();
  if (RequestType === 'Delete') {
    if (deployed === next && former !== undefined) await tags.write({ [DEPLOYED]: former });
    return { PhysicalResourceId: next };
  }
  if (deployed !== undefined) {
    const last = parse(deployed);
    if (!Reads.includes(String(last.format)))
      throw new Error(
        `The stack writes format ${last.format}, and this release reads ${Reads.join(' and ')}: deploy a release between them first.`,
      );
    const problems = lostSettings(last, parse(next), Forget);
    if (problems.length > 0) throw new Error([...problems, `Settings belong in ${File}.`].join(' '));
  }
  await tags.write({ [DEPLOYED]: next, [FORMER]: deployed ?? next });
  return { PhysicalResourceId: next };
}

/** One sentence for each deployed setting that would be lost without notice. */
export function lostSettings(deployed: Kept, next: Kept, forget: readonly string[]): readonly string[] {
  const lost = deployed.names.filter((name) => !next.names.includes(name) && !forget.includes(name));
  const sentences = lost.map((name) => `${name} is deployed and not set now: set it, or name it in forget.`);
  return next.signingKey >= deployed.signingKey
    ? sentences
    : [
        ...sentences,
        `signing-key is ${next.signingKey}, but ${deployed.signingKey} is deployed: set it or a higher one.`,
      ];
}

/** `2 1 alarms cors`, key and format first: only characters that a tag may have. */
const textOf = ({ signingKey, format, names }: DeployedSettings): string => [signingKey, format, ...names].join(' ');

function parse(text: string): DeployedSettings {
  const [signingKey, format, ...names] = text.split(' ');
  return { signingKey: Number(signingKey), format: Number(format), names };
}
