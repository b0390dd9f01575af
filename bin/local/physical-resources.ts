import type { References } from './intrinsics.ts';

export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::StackName': 'local',
  'AWS::URLSuffix': 'amazonaws.com',
};

export interface Physical {
  /** What `Ref` answers: the queue's URL, the table's name. */
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** What stands behind each logical id on this machine. A resource that only others point at is known by its logical id. */
export class PhysicalResources implements References {
  readonly #known = new Map<string, Physical>();

  set(id: string, physical: Physical): void {
    this.#known.set(id, physical);
  }

  ref(id: string): string {
    return PSEUDO_PARAMETERS[id] ?? this.#known.get(id)?.ref ?? id;
  }

  attribute(id: string, name: string): string {
    const value = this.#known.get(id)?.attributes?.[name];
    if (value !== undefined) return value;
    return `${id}.${name}`;
  }
}
