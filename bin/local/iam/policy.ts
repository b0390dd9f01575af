/** Decides as IAM does, for the part of its language that the roles use; anything else is refused when it is read. */
import { StartupFault } from '../lifecycle.ts';

/** One action that a call needs, as IAM is asked for it. */
export interface RequestedAction {
  /** IAM's name of the action: `dynamodb:GetItem`. */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** The partition keys that the call names, of the table or of the index. None if the call names none, as a scan does. */
  readonly leadingKeys: readonly string[];
  readonly source?: string;
  /** Of a mail. */
  readonly from?: string;
}

export type Statement = ReturnType<typeof statementsOf>[number];

type Operator = (keys: readonly string[], values: readonly string[]) => boolean;

const VALUES: Readonly<Record<string, (call: RequestedAction) => readonly string[]>> = {
  'dynamodb:LeadingKeys': ({ leadingKeys }) => leadingKeys,
  'events:source': ({ source }) => (source === undefined ? [] : [source]),
  'ses:FromAddress': ({ from }) => (from === undefined ? [] : [from]),
};

const isLikeAny = (text: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => isLike(pattern, text));

/** `ForAllValues` is true of a call without keys; `Null: false` is not. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  'ForAllValues:StringLike': (keys, patterns) => keys.every((key) => isLikeAny(key, patterns)),
  'ForAllValues:StringNotLike': (keys, patterns) => keys.every((key) => !isLikeAny(key, patterns)),
  StringEquals: (keys, values) => keys.some((key) => values.includes(key)),
  Null: (keys, values) => values.includes(String(keys.length === 0)),
};

const MEMBERS = new Set(['Sid', 'Effect', 'Action', 'Resource', 'Condition']);

const compiled = new Map<string, RegExp>();

/** Whether the text matches the pattern, in which `*` is any text and `?` any character. */
export function isLike(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    const quoted = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
    expression = new RegExp(`^${quoted.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
    compiled.set(pattern, expression);
  }
  return expression.test(text);
}

/** The first statement that allows the action; undefined if none does, which denies it. */
export function statementFor(statements: readonly Statement[], call: RequestedAction): Statement | undefined {
  const { action, resource } = call;
  return statements.find(
    ({ actions, resources, conditions }) =>
      // The names of actions have no case.
      isLikeAny(
        action.toLowerCase(),
        actions.map((each) => each.toLowerCase()),
      ) &&
      isLikeAny(resource, resources) &&
      conditions.every(({ key, operator, values }) => OPERATORS[operator]?.(VALUES[key]?.(call) ?? [], values)),
  );
}

/** The statements of a resolved policy document. @throws StartupFault for a construct that is not evaluated here */
export function statementsOf(document: unknown, name: string) {
  const { Statement } = document as { Statement: Readonly<Record<string, unknown>>[] };
  return Statement.map((statement) => {
    const refuse = refusal(name);
    const unknown = Object.keys(statement).find((member) => !MEMBERS.has(member));
    if (unknown !== undefined) refuse(unknown);
    if (statement['Effect'] !== 'Allow') refuse(`the effect ${String(statement['Effect'])}`);
    return {
      actions: textsOf(statement['Action'], refuse),
      resources: textsOf(statement['Resource'], refuse),
      conditions: conditionsOf(statement['Condition'] ?? {}, refuse),
    };
  });
}

type Refuse = (construct: string) => never;

function refusal(name: string): Refuse {
  return (construct) => {
    throw new StartupFault(
      `the policy ${name} uses ${construct}, which the local stack does not evaluate: ` +
        'write the grant without it, or add it to bin/local/iam/policy.ts',
    );
  };
}

function conditionsOf(condition: unknown, refuse: Refuse) {
  return Object.entries(condition as Record<string, Record<string, unknown>>).flatMap(([operator, about]) => {
    if (!Object.hasOwn(OPERATORS, operator)) refuse(`the condition ${operator}`);
    return Object.entries(about).map(([key, values]) => {
      if (!Object.hasOwn(VALUES, key)) refuse(`the condition key ${key}`);
      return { key, operator, values: textsOf(typeof values === 'boolean' ? String(values) : values, refuse) };
    });
  });
}

function textsOf(value: unknown, refuse: Refuse): string[] {
  return [value].flat().map((each) => {
    if (typeof each !== 'string') refuse(`the value ${JSON.stringify(each)}`);
    if (each.includes('${')) refuse('a policy variable');
    return each;
  });
}
