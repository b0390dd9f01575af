/** Single changes of signed evidence: a byte, a member, an order, a line, a key. Each changes the meaning. */
import { canonicalJson } from '../../../../functions/records/json.ts';
import { FIRST_SEED } from '../../../kit/at-length.ts';
import { Dice } from '../../../kit/dice.ts';
import type { SignedRun } from './signed-run.ts';

export interface Changed {
  readonly what: string;
  readonly run: SignedRun;
}

type Change = (run: SignedRun, dice: Dice) => Partial<SignedRun>;

const CHARACTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.{}[]",: \\');

function changedCharacter(text: string, dice: Dice): string {
  const at = dice.below(text.length);
  const kind = dice.below(3);
  return text.slice(0, at) + (kind === 0 ? '' : dice.pick(CHARACTERS)) + text.slice(kind === 2 ? at : at + 1);
}

function swapped<T>(items: readonly T[], dice: Dice): T[] {
  const at = dice.below(items.length - 1);
  return items.toSpliced(at, 2, ...items.slice(at, at + 2).toReversed());
}

const without = <T>(items: readonly T[], dice: Dice): T[] => items.toSpliced(dice.below(items.length), 1);

const replaced = <T>(items: readonly T[], dice: Dice, change: (item: T) => T): T[] => {
  const at = dice.below(items.length);
  return items.map((item, index) => (index === at ? change(item) : item));
};

/** One member, at any depth, has another value, another name, or is gone. */
function changedMember(value: unknown, dice: Dice): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? [null] : replaced(value, dice, (item) => changedMember(item, dice));
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? value + 1 : `${String(value)}x`;
  const names = Object.keys(value);
  if (names.length === 0) return { x: 1 };
  const chosen = dice.pick(names);
  const kind = dice.below(4);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (name !== chosen) return [[name, member]];
      if (kind === 0) return [];
      return kind === 1 ? [[`${name}x`, member]] : [[name, changedMember(member, dice)]];
    }),
  );
}

const CHANGES: Readonly<Record<string, Change>> = {
  'a character of the evidence': ({ evidence }, dice) => ({ evidence: changedCharacter(evidence, dice) }),
  'a character of the key': ({ keys }, dice) => ({
    keys: keys.map((key) => ({ ...key, [dice.pick(['x', 'y', 'kid'])]: changedCharacter(String(key['x']), dice) })),
  }),
  'a member of the list': ({ imports }, dice) => ({ imports: changedMember(imports, dice) as SignedRun['imports'] }),
  'the order of the list': ({ imports }, dice) => ({ imports: swapped(imports, dice) }),
  'an import less': ({ imports }, dice) => ({ imports: without(imports, dice) }),
  'an import twice': ({ imports }, dice) => ({ imports: [...imports, dice.pick(imports)] }),
  'a character of a line': ({ lines }, dice) => ({
    lines: replaced(lines, dice, (line) => changedCharacter(line, dice)),
  }),
  'a member of a line': ({ lines }, dice) => ({
    lines: replaced(lines, dice, (line) => JSON.stringify(changedMember(JSON.parse(line), dice))),
  }),
  'the order of the lines': ({ lines }, dice) => ({ lines: swapped(lines, dice) }),
  'a line less': ({ lines }, dice) => ({ lines: without(lines, dice) }),
  'a line twice': ({ lines }, dice) => ({
    lines: lines.flatMap((line, index) => (index === dice.below(2) ? [line, line] : [line])),
  }),
};

/** The meaning of a text, which blanks and the order of members do not change. */
function meaning(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}

const isSame = (one: SignedRun, other: SignedRun): boolean =>
  one.evidence === other.evidence &&
  meaning(JSON.stringify([one.keys, one.imports])) === meaning(JSON.stringify([other.keys, other.imports])) &&
  one.lines.map(meaning).join('\n') === other.lines.map(meaning).join('\n');

/** So many changes, of every kind in turn. */
export function changesOf(run: SignedRun, count: number): Changed[] {
  const dice = new Dice(FIRST_SEED);
  const kinds = Object.entries(CHANGES);
  const changed: Changed[] = [];
  while (changed.length < count) {
    const [what, change] = kinds[changed.length % kinds.length] ?? ['', () => ({})];
    const each = { ...run, ...change(run, dice) };
    if (!isSame(run, each)) changed.push({ what: `${what} (${changed.length})`, run: each });
  }
  return changed;
}
