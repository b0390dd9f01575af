/** The table in the words of the module `Driven`: what TLC prints of each state. */
import { gateKey, importKey } from '../../../functions/dynamodb/table.ts';
import { unpackImport } from '../../../functions/imports/import-item.ts';
import { unpackGate } from '../../../functions/jobs/gate.ts';
import type { Attributes, Key, MemoryTable } from '../../kit/memory-table/memory-table.ts';
import { COMPANY } from '../../simulation/world.ts';
import { SpokenState } from '../traces/spoken-state.ts';

/** Of each member the lines that say it, sorted. */
export type Shown = Readonly<Record<string, readonly string[]>>;

/** Reads everything that the specification has too. `names`: of the imports, by their ids. */
export function shownIn(table: MemoryTable, names: ReadonlyMap<string, string>, chunks: readonly string[]): Shown {
  const items = [...table.items()].map((item) => ({ key: keyOf(item), item }));
  const state = new SpokenState(names);
  for (const { key, item } of items) state.note({ key, after: item });
  const shown: Record<string, string[]> = Object.fromEntries(MEMBERS.map((member) => [member, []]));
  const add: Add = (member, ...line) => void shown[member]?.push(line.join(' '));
  for (const [import_id, i] of names) {
    const ofImport = chunks.filter((chunk) => chunk.startsWith(i));
    addImport(i, table.read(importKey(COMPANY, import_id)), { state, chunks: ofImport, add });
  }
  addGate(state, table.read(gateKey(COMPANY)), add);
  for (const { key, item } of items) OF_ITEMS.find(([isIt]) => isIt(key))?.[1](state, { key, item }, add);
  return Object.fromEntries(Object.entries(shown).map(([member, lines]) => [member, lines.toSorted()]));
}

const keyOf = ({ pk, sk }: Attributes): Key => ({ pk: String(pk), sk: String(sk) });

type Add = (member: (typeof MEMBERS)[number], ...line: (string | number)[]) => void;

interface Adding {
  readonly state: SpokenState;
  readonly chunks: readonly string[];
  readonly add: Add;
}

function addImport(i: string, stored: Attributes | undefined, { state, chunks, add }: Adding): void {
  const item = stored && unpackImport(stored);
  for (const chunk of chunks) add('summary', chunk, state.resultOf(chunk, item?.summaries[Number(chunk.slice(1))]));
  if (item === undefined) return add('status', i, 'none');
  const isOpen = item.status === 'processing';
  add('status', i, isOpen ? 'open' : 'ended');
  if (isOpen && item.cancelled_at !== null) add('cancelled', i);
  if (isOpen && item.closing_at !== undefined) add('closing', i);
  if (item.reverted_at !== null) add('reverted', i);
}

function addGate(state: SpokenState, item: Attributes | undefined, add: Add): void {
  const { waiting = [], epoch } = unpackGate(item);
  const holders = [item, ...waiting.map((by) => ({ by }))].map((each) => state.holderIn(each));
  add('gate', holders.join(', '), epoch);
}

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
        add('plans', state.chunkOf(key), out, pair, on);
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
    [({ sk }) => sk === 'revert-report', (state, { key }, add) => add('reports', state.importOf(key))],
  ];

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
] as const;
