/**
 * Small changes that a machine makes to the protocol, one at a time: to the conditions of writes and of the code between them, to the
 * order of calls, and to the times that something waits.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';
import { PROJECT } from './mutated-file.ts';

const FOLDERS = ['imports', 'reverts', 'erasure', 'jobs'];

export type Kind = 'condition of a write' | 'order' | 'wait' | 'if';

export interface Mutant {
  /** Its file and what is changed; the same from run to run. */
  readonly name: string;
  readonly line: number;
  readonly kind: Kind;
  /** From the project's folder. */
  readonly file: string;
  /** The whole file, changed. */
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** A part of a file, and what is in its place. */
interface Edit {
  readonly kind: Kind;
  readonly what: string;
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));

/** All of them, by file and place. */
export function allMutants(): Mutant[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(PROJECT, 'functions', folder)).map((file) => `functions/${folder}/${file}`),
  );
  return files.toSorted().flatMap((file) => mutantsOf(file, readFileSync(join(PROJECT, file), 'utf8')));
}

export function mutantsOf(file: string, source: string): Mutant[] {
  const edits: Edit[] = [];
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, source, edits);
  const seen = new Map<string, number>();
  return edits
    .toSorted((a, b) => a.start - b.start)
    .map(({ kind, what, start, end, by }) => {
      const line = source.slice(0, start).split('\n').length;
      const name = `${file}: ${what.replaceAll(/\s+/g, ' ').slice(0, LONGEST_NAME)}`;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      return {
        name: times === 1 ? name : `${name} (${times})`,
        line,
        kind,
        file,
        text: source.slice(0, start) + by + source.slice(end),
      };
    });
}

const LONGEST_NAME = 110;

function visit(node: Node, source: string, edits: Edit[]): void {
  edits.push(
    ...conditionsOf(node, source),
    ...writesOf(node, source),
    ...waitsOf(node, source),
    ...ordersOf(node, source),
  );
  for (const child of childrenOf(node)) visit(child, source, edits);
}

const textIn = (source: string, { start, end }: Node): string => source.slice(start, end);

/** That of an `if`, always and never; and with each operand of `&&` and `||` in it left out. */
function conditionsOf(node: Node, source: string): Edit[] {
  if (node.type !== 'IfStatement') return [];
  const kind = 'if';
  const test = node['test'] as Node;
  const decided = ['true', 'false'].map((by): Edit => {
    const { start, end } = test;
    return { kind, what: `if (${textIn(source, test)}) → ${by}`, start, end, by };
  });
  return [...decided, ...operandsIn(test, source)];
}

function operandsIn(node: Node, source: string): Edit[] {
  if (node.type !== 'LogicalExpression' || node['operator'] === '??') return [];
  const operands = [node['left'], node['right']].filter(isNode);
  return operands.flatMap((each): Edit[] => {
    const { start, end } = node;
    const by = textIn(source, each);
    return [{ kind: 'if', what: `${textIn(source, node)} → ${by}`, start, end, by }, ...operandsIn(each, source)];
  });
}

const nameOf = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '');

/** Functions that write, and the position of their condition. */
const CONDITION_AT: Readonly<Record<string, number>> = { putItem: 2, deleteItem: 2 };

/** The condition of a write, and each part of one. */
function writesOf(node: Node, source: string): Edit[] {
  const kind = 'condition of a write';
  const without = (what: Node): Edit[] => [
    { kind, what: `without ${textIn(source, what)}`, start: what.start, end: what.end, by: 'undefined' },
  ];
  if (node.type === 'Property' && nameOf(node['key']) === 'when')
    return [{ kind, what: `without ${textIn(source, node)}`, start: node.start, end: node.end, by: 'when: undefined' }];
  if (node.type !== 'CallExpression') return [];
  const called = nameOf(node['callee']);
  const given = node['arguments'] as Node[];
  const condition = given[CONDITION_AT[called] ?? -1];
  if (condition !== undefined) return without(condition);
  if (called !== 'allOf' && called !== 'anyOf') return [];
  return given.map((left, at): Edit => {
    const rest = given.filter((_, position) => position !== at).map((each) => textIn(source, each));
    const what = `${textIn(source, node)} without ${textIn(source, left)}`;
    return { kind, what, start: node.start, end: node.end, by: `${called}(${rest.join(', ')})` };
  });
}

/** A time that something waits, and the end of a wait. */
const waitsOf = (node: Node, source: string): Edit[] => [...timesOf(node, source), ...endsOf(node, source)];

function timesOf(node: Node, source: string): Edit[] {
  const kind = 'wait';
  const { init, operator } = node;
  if (node.type === 'VariableDeclarator' && /_(?:MS|SECONDS)$/.test(nameOf(node['id'])) && isNode(init))
    return [{ kind, what: `${nameOf(node['id'])} = 0`, start: init.start, end: init.end, by: '0' }];
  if (node.type !== 'BinaryExpression' || (operator !== '+' && operator !== '-')) return [];
  const [left, right] = [textIn(source, node['left'] as Node), textIn(source, node['right'] as Node)];
  if (!/(?:_MS|_SECONDS|Ms)$/.test(right)) return [];
  return [{ kind, what: `${textIn(source, node)} → ${left}`, start: node.start, end: node.end, by: left }];
}

function endsOf(node: Node, source: string): Edit[] {
  const { value } = node;
  const isEnd = node.type === 'Property' && nameOf(node['key']) === 'until' && isNode(value);
  if (!isEnd || value.type === 'Identifier') return [];
  const what = `without ${textIn(source, node)}`;
  return [{ kind: 'wait', what, start: value.start, end: value.end, by: 'undefined' }];
}

/** A call that is left out, and two neighbours with calls in the other order. The linter refuses a call that is not awaited. */
function ordersOf(node: Node, source: string): Edit[] {
  const kind = 'order';
  if (node.type !== 'BlockStatement') return [];
  const body = node['body'] as Node[];
  return body.flatMap((statement, at): Edit[] => {
    const edits: Edit[] = [];
    const { start, end } = statement;
    const text = textIn(source, statement);
    if (statement.type === 'ExpressionStatement' && (statement['expression'] as Node).type === 'AwaitExpression') {
      edits.push({ kind, what: `without ${text}`, start, end, by: ';' });
    }
    const next = body[at + 1];
    if (
      next !== undefined &&
      awaits(statement) &&
      awaits(next) &&
      !namesIn(statement).some((name) => uses(next, name)) &&
      !leaves(statement) &&
      !leaves(next)
    ) {
      const by = `${textIn(source, next)}\n${text}`;
      edits.push({ kind, what: `after the next: ${text}`, start, end: next.end, by });
    }
    return edits;
  });
}

const some = (node: Node, is: (each: Node) => boolean): boolean =>
  is(node) || childrenOf(node).some((child) => some(child, is));
const isFunction = ({ type }: Node) => type.includes('Function');
const awaits = (node: Node): boolean =>
  !isFunction(node) && (node.type === 'AwaitExpression' || childrenOf(node).some(awaits));
const leaves = (node: Node): boolean => node.type === 'ReturnStatement';
const uses = (node: Node, name: string): boolean =>
  some(node, (each) => each.type === 'Identifier' && each['name'] === name);

/** The names that a statement declares. */
function namesIn(statement: Node): string[] {
  if (statement.type !== 'VariableDeclaration') return [];
  const declared = (statement['declarations'] as Node[]).map(({ id }) => id as Node);
  const names: string[] = [];
  for (const each of declared) some(each, (part) => nameOf(part) !== '' && names.push(nameOf(part)) < 0);
  return names;
}
