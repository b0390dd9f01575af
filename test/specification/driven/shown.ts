/** The table in the words of the module `Driven`: what TLC prints of each state. */
import { factKey, gateKey, importKey } from '../../../functions/dynamodb/table.ts';
import { unpackImport } from '../../../functions/imports/import-item.ts';
import { unpackGate } from '../../../functions/jobs/gate.ts';
import { ANN_ID, namesPerson } from '../../erasure/person.ts';
import type { Attributes, Key, MemoryTable } from '../../kit/memory-table/memory-table.ts';
import { COMPANY } from '../../simulation/world.ts';
import { ERASURE, perItem, type SpokenState } from '../traces/spoken-state.ts';
import { IMPORTS, NAMES } from './subjects.ts';

const isNamedIn = perItem(namesPerson);
const unpack = perItem(unpackImport);

/** In the order of the module. */
export const MEMBERS = [
  'status',
  'cancelled',
  'closing',
  'reverted',
  'summary',
  'plans',
  'contributions',
  'bound',
  'marked',
  'notes',
  'gate',
  'reverts',
  'reports',
  'named',
] as const;

/** Of each member the lines that say it, sorted. */
export type Shown = Readonly<Record<string, readonly string[]>>;

type Add = (member: (typeof MEMBERS)[number], ...line: (string | number)[]) => void;

/** Reads everything that the specification has too. `state` has seen each write. */
export function shownIn(table: MemoryTable, state: SpokenState): Shown {
  const shown: Record<string, string[]> = Object.fromEntries(MEMBERS.map((member) => [member, []]));
  const add: Add = (member, ...line) => void shown[member]?.push(line.join(' '));
  for (const [import_id, i] of NAMES) addImport(i, table.read(importKey(COMPANY, import_id)), state, add);
  addGate(state, table.read(gateKey(COMPANY)), add);
  for (const item of table.items()) {
    const key = { pk: String(item['pk']), sk: String(item['sk']) };
    OF_ITEMS.find(([isIt]) => isIt(key))?.[1](state, { key, item }, add);
  }
  addErased(table.read(factKey(COMPANY, 'user', ANN_ID)), shown['reverts'] ?? [], add);
  return Object.fromEntries(Object.entries(shown).map(([member, lines]) => [member, [...new Set(lines)].toSorted()]));
}

function addImport(i: string, stored: Attributes | undefined, state: SpokenState, add: Add): void {
  const item = stored && unpack(stored);
  for (const chunk of IMPORTS[i]?.chunks ?? [])
    add('summary', chunk, state.resultOf(chunk, item?.summaries[Number(chunk.slice(1))]));
  if (item === undefined) return add('status', i, 'none');
  if (item.status !== 'processing') return addEnded(i, item.reverted_at, add);
  add('status', i, 'open');
  if (item.cancelled_at !== null) add('cancelled', i);
  if (item.closing_at !== undefined) add('closing', i);
}

function addEnded(i: string, reverted_at: string | null, add: Add): void {
  add('status', i, 'ended');
  if (reverted_at !== null) add('reverted', i);
}

function addGate(state: SpokenState, item: Attributes | undefined, add: Add): void {
  const { waiting = [], epoch } = unpackGate(item);
  const holders = [item, ...waiting.map((by) => ({ by }))].map((each) => state.holderIn(each));
  add('gate', holders.join(', '), epoch);
}

/** The item of an erasure is deleted when it is done. */
function addErased(person: Attributes | undefined, reverts: readonly string[], add: Add): void {
  const isDone = person?.['erased_at'] !== undefined && !reverts.some((line) => line.startsWith(ERASURE));
  if (isDone) add('reverts', ERASURE, 'done', '');
}

/** Phases of an erasure that the specification takes together, or names otherwise. */
const PHASES: Readonly<Record<string, string>> = {
  naming: 'closing',
  removing: 'erasing learner',
  ending: 'passing',
  opening: 'passing',
};

interface Stored {
  readonly key: Key;
  readonly item: Attributes;
}

/** What other items say, each kind by its key. */
const OF_ITEMS: readonly (readonly [(key: Key) => boolean, (state: SpokenState, stored: Stored, add: Add) => void])[] =
  [
    [
      ({ sk }) => sk.startsWith('plan#'),
      (state, { key, item }, add) => {
        const { out, pair, on } = state.planIn(item);
        const chunk = state.chunkOf(key);
        add('plans', chunk, out, out === 'rejected' || out === 'erased' ? 'none' : pair, on);
        if (isNamedIn(item)) add('named', 'plan', chunk);
      },
    ],
    [
      // What a plan that rejects its record keeps apart.
      ({ sk }) => sk.startsWith('nameless#'),
      (state, { key, item }, add) => {
        const chunk = state.chunkOf({ ...key, sk: key.sk.replace('nameless', 'plan') });
        if (isNamedIn(item) && state.hasPlan(chunk)) add('named', 'plan', chunk);
      },
    ],
    [
      ({ sk }) => sk.startsWith('payload#'),
      (state, { item }, add) => {
        const { c } = state.payloadIn(item);
        if (c !== '' && isNamedIn(item)) add('named', 'payload', c);
      },
    ],
    [
      ({ pk }) => pk.includes('#record#'),
      (state, { key, item }, add) => {
        add('bound', state.idOf(key), state.pairIn(item));
        if (item['unused_at'] !== undefined) add('marked', state.idOf(key));
      },
    ],
    [
      ({ pk }) => pk.includes('#learner#'),
      (state, { key: { pk }, item }, add) => {
        const pair = state.pairIn({ user_id: pk.split('#learner#')[1] });
        for (const chunk of state.chunksIn(item)) add('contributions', chunk, pair);
      },
    ],
    [
      ({ sk }) => sk.startsWith('relied#'),
      (state, { key }, add) => {
        const { i, c } = state.noteIn(key);
        add('notes', i, c);
      },
    ],
    [
      ({ sk }) => sk === 'revert',
      (state, { key, item }, add) => {
        const phase = String(item['phase']);
        const hasPosition = phase === 'giving' || phase === 'removing';
        add('reverts', state.revertOf(key), phase, hasPosition ? Number(item['at']) + 1 : '');
      },
    ],
    [
      ({ sk }) => sk === 'erasure',
      (_, { item }, add) => {
        const phase = String(item['phase']);
        add('reverts', ERASURE, PHASES[phase] ?? phase, '');
      },
    ],
    [({ sk }) => sk === 'revert-report', (state, { key }, add) => add('reports', state.importOf(key))],
  ];
