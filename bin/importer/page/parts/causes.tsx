/** The rows that cannot be written by their cause, each cause with what a person can do about it, and the rows behind it. */
import { useMemo, useState } from 'preact/hooks';
import { rejectedName } from '../../engine/read/bytes.ts';
import { shown } from '../../engine/ground/text.ts';
import { hrefOf } from '../state/address.ts';
import { call, current, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import type { Report } from '../worker/run.ts';
import { type CauseGroup, groupsOf, type Placed, wordsOf } from './cause-groups.ts';
import { Button, Card, CheckBox, download, Input } from './controls.tsx';
import { CatalogList } from './course-picker.tsx';
import { Courses } from './facts.tsx';
import { PeoplePanel, useSuggestions, suggestAll } from './people.tsx';
import { reasonOf } from './record-words.ts';
import { type Option, Select } from './select.tsx';
import { type Cell, Table } from './table.tsx';
import { Doing, useTask } from './task.tsx';

const text = TEXT.rejected;

interface Props {
  readonly report: Report;
  /** Before the import something can be done about each cause. */
  readonly canAct?: boolean;
}

export function Causes({ report, canAct = false }: Props) {
  const { causes, sorted } = report;
  const groups = useMemo(() => groupsOf(causes), [causes]);
  if (causes.length === 0) return null;
  const title = (canAct ? text.title : text.stayed)(sorted.failed);
  return (
    <Card title={title}>
      <ul class={canAct ? 'causes' : 'causes stayed'} aria-label={title}>
        {groups.map((group) => (
          <Group key={group.causes[0]?.position} group={group} canAct={canAct} canMatch={report.canMatch} />
        ))}
      </ul>
      <Rows report={report} order={groups.flatMap((group) => group.causes)} />
      <Download />
      {canAct && <CatalogList />}
    </Card>
  );
}

interface GroupProps {
  readonly group: CauseGroup;
  readonly canAct: boolean;
  readonly canMatch: boolean;
}

function Group({ group, canAct, canMatch }: GroupProps) {
  const [isOpen, open] = useState(false);
  const [title, names] = wordsOf(group);
  return (
    <li class="cause">
      <p>
        {title} <span class="hint">{names}</span>
      </p>
      <strong class="number">{TEXT.n(group.rows)}</strong>
      {canAct && <Actions group={group} canMatch={canMatch} isOpen={isOpen} onOpen={() => open(!isOpen)} />}
      {isOpen && (
        <div class="panel">
          <Panel group={group} canMatch={canMatch} />
        </div>
      )}
    </li>
  );
}

interface ActionsProps extends Omit<GroupProps, 'canAct'> {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Actions({ group, canMatch, isOpen, onOpen }: ActionsProps) {
  const { what, causes } = group;
  const suggested = useSuggestions(canMatch ? group : undefined);
  const isKnown = useKnownCourses(group).length > 0;
  const canCorrect = useCanCorrect(causes);
  const toggle = (name: string) => (
    <button type="button" aria-expanded={isOpen} onClick={onOpen}>
      {name}
    </button>
  );
  if (what === 'unknown' || what === 'inactive')
    return (
      <div class="actions">
        {suggested.length > 0 && <Button text={text.useAll(suggested.length)} onClick={() => suggestAll(suggested)} />}
        {toggle(text.match)}
      </div>
    );
  if (what === 'kinds')
    return (
      <div class="actions">
        <a href={hrefOf('review')}>{text.decide}</a>
      </div>
    );
  if (what === 'courses' && isKnown) return <div class="actions">{toggle(text.choose)}</div>;
  const [first] = causes;
  if (first === undefined || !canCorrect) return null;
  return <div class="actions">{causes.length === 1 ? <Correction cause={first} /> : toggle(text.correction)}</div>;
}

/** The courses of a group that Review knows, too. */
function useKnownCourses({ what, causes }: CauseGroup) {
  const { courses } = useStore();
  const wanted = new Set(what === 'courses' ? causes.map(({ value }) => value) : []);
  return courses.filter(({ id }) => wanted.has(id));
}

function useCanCorrect(causes: readonly Placed[]): boolean {
  const { opened } = useStore();
  return opened?.files.every(({ format }) => format === 'csv') === true && causes.every(({ index }) => index >= 0);
}

function Panel({ group, canMatch }: Omit<GroupProps, 'canAct'>) {
  const courses = useKnownCourses(group);
  if (group.what === 'unknown' || group.what === 'inactive') return <PeoplePanel group={group} canMatch={canMatch} />;
  if (courses.length > 0) return <Courses courses={courses} caption={text.choose} />;
  return (
    <Table
      caption={text.correction}
      head={[text.why, TEXT.review.count, TEXT.review.line, text.correction]}
      rows={group.causes}
      cells={(cause) => [
        reasonOf(cause),
        cause.rows,
        String(cause.line),
        { text: cause.value, node: () => <Correction cause={cause} /> },
      ]}
    />
  );
}

/** The right text in place of the wrong one, in all rows of the cause; the next check reads it. */
function Correction({ cause: { position, value, rows } }: { readonly cause: Placed }) {
  const { corrected } = useStore();
  const correct = (to: string): void => {
    const { [position]: _, ...others } = current().corrected;
    update({ corrected: to === value ? others : { ...others, [position]: to }, isStale: true });
    void call('correctCause', position, to);
  };
  return (
    <Input
      aria-label={text.correct(shown(value), rows)}
      value={corrected[position] ?? value}
      onInput={correct}
      onEnter={() => {}}
    />
  );
}

/** Causes in a choice: more are found by the search of the table. */
const MOST_CHOICES = 100;

interface RowsProps {
  readonly report: Report;
  readonly order: readonly Placed[];
}

function Rows({ report: { causes, rejected, sorted }, order }: RowsProps) {
  const { opened } = useStore();
  const [isOpen, open] = useState(false);
  const [wanted, want] = useState('');
  const rows = useMemo(
    () => (wanted === '' ? rejected : rejected.filter(({ cause }) => String(cause) === wanted)),
    [rejected, wanted],
  );
  const options = order
    .slice(0, MOST_CHOICES)
    .map((cause): Option => [String(cause.position), `${reasonOf(cause)} (${TEXT.n(cause.rows)})`]);
  return (
    <details open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{text.rows}</summary>
      {isOpen && (
        <>
          {causes.length > 1 && (
            <Select
              label={text.filter}
              isNarrow
              value={wanted}
              options={[['', text.all], ...options]}
              onDecide={want}
            />
          )}
          <Table
            key={wanted}
            caption={text.rows}
            head={[TEXT.review.line, ...(opened?.files[0]?.columns ?? [])]}
            rows={rows}
            cells={({ line, cells, cause }) => [
              String(line),
              ...cells.map((cell, index): Cell =>
                index === causes[cause]?.index ? { text: cell, is: 'wrong', node: () => shown(cell) } : cell,
              ),
            ]}
          />
          {rejected.length < sorted.failed && <p class="hint">{TEXT.table.moreRows(rejected.length)}</p>}
        </>
      )}
    </details>
  );
}

function Download() {
  const { opened } = useStore();
  const [isRaw, setRaw] = useState(false);
  const task = useTask();
  const save = (): void =>
    task.run(async () => {
      for (const [index, { name, format }] of (opened?.files ?? []).entries()) {
        const lines = await call('rejectedFile', index, isRaw);
        if (lines !== '') download(rejectedName(name, format === 'csv' ? '.csv' : '.ndjson'), lines);
      }
    });
  return (
    <>
      <div class="actions">
        <Button text={text.download} disabled={task.isBusy} onClick={save} />
        <CheckBox label={text.raw} checked={isRaw} onChange={setRaw} />
      </div>
      <Doing task={task} text={null} />
    </>
  );
}
