/** The home: what waits for this person, what runs, and what is done. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shown } from '../../engine/ground/text.ts';
import { Button, Input, Notice } from '../parts/controls.tsx';
import { FirstTime } from '../parts/first-time.tsx';
import { RunProgress } from '../parts/run-progress.tsx';
import { Doing, useEvery, useTask } from '../parts/task.tsx';
import { draftHref, runHref } from '../state/address.ts';
import { newMigration } from '../state/migration.ts';
import { call, useStore } from '../state/store.ts';
import { lasting, TEXT, whenOf } from '../texts/index.ts';
import type { Migration } from '../worker/migrations.ts';

const text = TEXT.migrations;

/** How often what runs is read again. */
const EVERY_MS = 3000;

const isWaiting = ({ state }: Migration): boolean => state === 'draft' || state === 'planned' || state === 'approved';
const isRunning = ({ state }: Migration): boolean => state === 'processing';

/** Who has more knows how it goes. */
const MOST_NEW = 6;

export const nameOfRun = ({ title, run_id }: Pick<Migration, 'title' | 'run_id'>): string => shown(title ?? run_id);

/** What is left to decide of a draft, if that is known. */
function openWords({ open }: Migration): string {
  if (open === undefined) return '';
  const said = open.map(([what, count]) => text.counted[what](count)).join(', ');
  return said === '' ? text.nothingOpen : text.stillOpen(said);
}

const wordsOf = ({ title, run_id, by }: Migration): string => [title, run_id, by].join(' ').toLowerCase();

export function MigrationsScreen() {
  const [all, setAll] = useState<readonly Migration[] | undefined>();
  const [next, setNext] = useState<string>();
  const [words, search] = useState('');
  const load = async (cursor?: string): Promise<void> => {
    const found = await call('listMigrations', cursor);
    setAll((known = []) => (cursor === undefined ? found.migrations : [...known, ...found.migrations]));
    setNext(found.next);
  };
  const task = useTask(() => load());
  useEvery(EVERY_MS, load, all?.some(isRunning) === true);
  const sought = words.trim().toLowerCase();
  const found = (all ?? []).filter((each) => wordsOf(each).includes(sought));
  return (
    <>
      <div class="head">
        <Input type="search" aria-label={text.search} placeholder={text.search} value={words} onInput={search} />
        <Button text={text.add} kind="main" onClick={() => void newMigration()} />
      </div>
      <Doing task={task} text={null} />
      {all === undefined && task.problem === undefined && <Skeleton />}
      <List title={text.waiting} migrations={found.filter(isWaiting)} row={Waiting} />
      <List title={text.running} migrations={found.filter(isRunning)} row={Running} />
      <List title={text.done} migrations={found.filter((each) => !isWaiting(each) && !isRunning(each))} row={Done} />
      {all !== undefined && found.length === 0 && sought !== '' && <Notice kind="note">{text.none}</Notice>}
      {next !== undefined && (
        <Button text={text.older} disabled={task.isBusy} onClick={() => task.run(() => load(next))} />
      )}
      {all !== undefined && all.length < MOST_NEW && <FirstTime />}
    </>
  );
}

/** What a list looks like before it is there. */
const Skeleton = () => (
  <div class="card list" role="status" aria-label={TEXT.working}>
    {[1, 2, 3].map(() => (
      <div class="row">
        <i class="bone" />
        <i class="bone" />
      </div>
    ))}
  </div>
);

interface ListProps {
  readonly title: string;
  readonly migrations: readonly Migration[];
  readonly row: (props: RowProps) => ComponentChildren;
}

const List = ({ title, migrations, row: Row }: ListProps) =>
  migrations.length === 0 ? null : (
    <section>
      <h2>{title}</h2>
      <ul class="card list">
        {migrations.map((migration) => (
          <Row key={migration.run_id} migration={migration} />
        ))}
      </ul>
    </section>
  );

interface RowProps {
  readonly migration: Migration;
}

interface LineProps extends RowProps {
  readonly facts: readonly (string | undefined)[];
  readonly action: string;
  readonly href?: string;
  readonly children: ComponentChildren;
}

/** A migration in a row: its name, who and when, how it is, and the way to it. */
function Line({ migration, facts, action, href = runHref(migration.run_id), children }: LineProps) {
  const name = nameOfRun(migration);
  return (
    <li class={migration.state === 'planned' ? 'row asks' : 'row'}>
      <div>
        <strong>{name}</strong>
        <p class="hint">{facts.filter((fact) => fact !== undefined).join(' · ')}</p>
      </div>
      <div>{children}</div>
      <a class="button" href={href} aria-label={`${action}: ${name}`}>
        {action}
      </a>
    </li>
  );
}

const State = ({ is, children }: { readonly is: string; readonly children: ComponentChildren }) => (
  <p class={`status ${is}`}>{children}</p>
);

function Waiting({ migration }: RowProps) {
  const { state, plan, by, updated_at, created_at } = migration;
  const { id } = useStore().account ?? {};
  if (state === 'draft' || plan === null)
    return (
      <Line
        migration={migration}
        facts={[by, text.changed(whenOf(updated_at ?? created_at))]}
        action={text.goOn}
        href={draftHref(migration.run_id)}
      >
        <State is="draft">{TEXT.runs.states.draft}</State>
        <p class="hint">{openWords(migration)}</p>
      </Line>
    );
  const isMine = plan.created_by !== null && plan.created_by === id;
  return (
    <Line
      migration={migration}
      facts={[
        text.planned(isMine ? text.you : (by ?? text.somebody), whenOf(plan.created_at)),
        text.records(plan.counts.total),
      ]}
      action={state === 'planned' && !isMine ? text.look : text.open}
    >
      <State is={state}>{TEXT.runs.states[state]}</State>
      <p class="hint">{plannedWords(plan.counts)}</p>
    </Line>
  );
}

/** Leaves out zeros. */
export const countsOf = (counts: readonly (readonly [name: string, count: number])[]): string =>
  counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${TEXT.n(count)} ${name}`)
    .join(' · ');

/** What is archived is not rejected once more. */
const apart = ({ failed, archived }: Pick<Migration['counts'], 'failed' | 'archived'>) =>
  [
    [TEXT.sorted.archived, archived],
    [TEXT.result.rejected, failed - archived],
  ] as const;

const plannedWords = ({ applied, updated, unchanged, ...others }: NonNullable<Migration['plan']>['counts']): string =>
  countsOf([[text.written, applied + updated], [TEXT.result.unchanged, unchanged], ...apart(others)]);

function Running({ migration }: RowProps) {
  const { plan, created_at, by } = migration;
  return (
    <Line
      migration={migration}
      facts={[by, text.since(whenOf(plan?.applied_at ?? created_at)), text.away]}
      action={text.open}
    >
      <RunProgress run={migration} />
    </Line>
  );
}

function Done({ migration }: RowProps) {
  const { state, counts, completed_at, created_at, plan, by } = migration;
  const took =
    completed_at === null ? undefined : lasting(Date.parse(completed_at) - Date.parse(plan?.applied_at ?? created_at));
  return (
    <Line
      migration={migration}
      facts={[whenOf(completed_at ?? created_at), by, text.records(counts.total), took && text.took(took)]}
      action={text.open}
    >
      <State is={state}>{state === 'reverted' ? TEXT.runs.states.reverted : text.onPlatform(counts.succeeded)}</State>
      <p class="hint">{state === 'reverted' ? text.asIfNever : notMoved(migration)}</p>
    </Line>
  );
}

function notMoved({ state, counts }: Migration): string {
  const ended = state === 'cancelled' || state === 'partly_reverted' ? [TEXT.runs.states[state]] : [];
  return [...ended, countsOf(apart(counts))].filter((words) => words !== '').join(' · ');
}
