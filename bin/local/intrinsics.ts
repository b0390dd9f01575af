/** Evaluates the intrinsic functions that a synthesized template holds. */
export interface References {
  ref(id: string): unknown;
  attribute(id: string, name: string): unknown;
}

type Intrinsic = (argument: unknown, references: References) => unknown;

const INTRINSICS: Readonly<Record<string, Intrinsic>> = {
  Ref: (id, references) => references.ref(id as string),
  'Fn::GetAtt': (argument, references) => getAttribute(argument as [string, string] | string, references),
  'Fn::Join': (argument, references) => {
    const [separator, parts] = argument as [string, unknown];
    return (resolveIntrinsics(parts, references) as unknown[]).join(separator);
  },
  'Fn::Sub': (argument, references) => substitute(argument as string | [string, Record<string, unknown>], references),
  'Fn::Select': (argument, references) => {
    const [index, list] = resolveIntrinsics(argument, references) as [number | string, unknown[]];
    return list[Number(index)];
  },
  'Fn::Split': (argument, references) => {
    const [separator, text] = resolveIntrinsics(argument, references) as [string, string];
    return text.split(separator);
  },
};

/**
 * The value with every intrinsic function replaced by what it stands for.
 *
 * @throws Error for an intrinsic function that is not known here
 */
export function resolveIntrinsics(value: unknown, references: References): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveIntrinsics(item, references));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && isIntrinsic(only[0])) return evaluate(only[0], only[1], references);
  return Object.fromEntries(entries.map(([name, member]) => [name, resolveIntrinsics(member, references)]));
}

const isIntrinsic = (name: string): boolean => name === 'Ref' || name.startsWith('Fn::');

function evaluate(name: string, argument: unknown, references: References): unknown {
  const intrinsic = INTRINSICS[name];
  if (intrinsic === undefined) throw new Error(`The local stack does not know ${name}`);
  return intrinsic(argument, references);
}

function getAttribute(argument: [string, string] | string, references: References): unknown {
  if (typeof argument !== 'string') return references.attribute(argument[0], argument[1]);
  const dot = argument.indexOf('.');
  return references.attribute(argument.slice(0, dot), argument.slice(dot + 1));
}

function substitute(argument: string | [string, Record<string, unknown>], references: References): string {
  const [text, variables] = typeof argument === 'string' ? [argument, {}] : argument;
  return text.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => {
    if (name.startsWith('!')) return `\${${name.slice(1)}}`;
    if (Object.hasOwn(variables, name)) return String(resolveIntrinsics(variables[name], references));
    return String(name.includes('.') ? getAttribute(name, references) : references.ref(name));
  });
}
