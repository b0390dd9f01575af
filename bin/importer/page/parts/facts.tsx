/** What the columns are: learner, course, dates and sheets, each with what was found, and a way to change it. */
import { ownValue } from '../../engine/ground/own-value.ts';
import type { ComponentChildren } from 'preact';
import { shown } from '../../engine/ground/text.ts';
import type { Choices, Findings, FoundColumn } from '../../engine/language/findings.ts';
import { call, current, type State, UNCHECKED, update, useStore } from '../state/store.ts';
import { columnName, dayOf, sentenceOf, TEXT } from '../texts/index.ts';
import type { MatchedCourse } from '../worker/matches.ts';
import { Button, Field, Input } from './controls.tsx';
import { CatalogList, CoursePicker, titleOf } from './course-picker.tsx';
import { Select } from './select.tsx';
import { Table } from './table.tsx';
import { Doing, type Task, useTask } from './task.tsx';

const text = TEXT.review;

interface FactProps {
  readonly label: string;
  readonly what: ComponentChildren;
  readonly change?: string | undefined;
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}

const Fact = ({ label, what, change = TEXT.change, isOpen, children }: FactProps) => (
  <details class="card fact" open={isOpen}>
    <summary>
      <span class="label">{label}</span>
      <span class="change">{change}</span>
      <span class="what">{what}</span>
    </summary>
    {children}
  </details>
);

/** The file is read again; what was confirmed stays where it still fits. No other answer is taken meanwhile, so that none is lost. */
export const readAgain = (task: Task, read: () => Promise<Partial<State>>): void =>
  task.run(async () => {
    update({ meters: {}, isReading: true });
    try {
      update({ ...(await read()), ...UNCHECKED, mapping: undefined });
    } finally {
      update({ isReading: false });
    }
  });

export const changeChoices = (task: Task, change: Choices): void =>
  readAgain(task, () => call('changeChoices', { ...current().findings?.choices, ...change }));

interface PartProps {
  readonly findings: Findings;
  readonly task: Task;
}

export function Facts({ findings }: Pick<PartProps, 'findings'>) {
  const task = useTask();
  return (
    <>
      <h2 class="unseen">{text.facts}</h2>
      <div class="cards">
        <ColumnFact
          label={text.learner}
          found={findings.learner}
          count={text.knownOf}
          onChoose={(learner) => changeChoices(task, { learner })}
        />
        <CourseFact findings={findings} task={task} />
        {findings.dates.length > 0 && <DatesFact findings={findings} task={task} />}
        {findings.sheets.length > 1 && <SheetsFact findings={findings} />}
      </div>
      <Doing task={task} text={null} />
      <CatalogList />
    </>
  );
}

interface ColumnProps {
  readonly label: string;
  readonly found: FoundColumn;
  readonly count: (found: number, of: number, isSample?: boolean) => string;
  readonly onChoose: (column: string) => void;
  readonly change?: string | undefined;
  readonly children?: ComponentChildren;
}

function ColumnFact({ label, found, count, onChoose, change, children }: ColumnProps) {
  const { column, isUndecided, others } = found;
  const known = column === null ? others : [{ ...found, column }, ...others];
  const counted = ({ found: some, of, isSample }: Pick<FoundColumn, 'found' | 'of' | 'isSample'>): string =>
    some === null ? text.distinct(of) : count(some, of, isSample);
  const isOpen = isUndecided || column === null;
  const what =
    column === null ? (
      text.noColumn
    ) : (
      <>
        <strong>{columnName(column)}</strong> · {counted(found)}
      </>
    );
  return (
    <Fact label={label} isOpen={isOpen} change={change} what={what}>
      {isUndecided && <p>{text.unsure}</p>}
      <Select
        label={text.columnOf(label)}
        value={isUndecided ? '' : (column ?? '')}
        open={isOpen ? text.unsure : undefined}
        options={known.map((each) => [each.column, `${columnName(each.column)} · ${counted(each)}`])}
        onDecide={(chosen) => chosen !== '' && onChoose(chosen)}
      />
      {children}
    </Fact>
  );
}

export function useOpenCourses(): readonly MatchedCourse[] {
  const { courses, choices } = useStore();
  return courses.filter(({ id, course }) => course === undefined && ownValue(choices, id) === undefined);
}

function CourseFact({ findings, task }: PartProps) {
  const { courses, choices, oneCourse } = useStore();
  const open = useOpenCourses().length;
  const certain = courses.filter(({ course }) => course !== undefined);
  const uncertain = courses.filter(({ course }) => course === undefined);
  const hasColumn = findings.course.column !== null;
  const leftOut = courses.filter(({ id }) => ownValue(choices, id) === null).length;
  const matched = { found: courses.length - open - leftOut, of: courses.length, isSample: false };
  const count: ColumnProps['count'] = (...counts) =>
    text.matchedOf(...counts) + (leftOut === 0 ? '' : ` · ${text.leftOutOf(leftOut)}`);
  return (
    <ColumnFact
      label={TEXT.check.course}
      found={{ ...findings.course, ...(hasColumn && courses.length > 0 && matched) }}
      count={count}
      onChoose={(course) => changeChoices(task, { course })}
      change={open > 0 ? text.chooseCourses(open) : undefined}
    >
      {!hasColumn && (
        <Field label={text.oneCourse}>
          <CoursePicker
            label={text.oneCourse}
            chosen={oneCourse}
            onChoose={(course) => chooseCourses({ oneCourse: course })}
          />
        </Field>
      )}
      {uncertain.length > 0 && <Courses courses={uncertain} caption={TEXT.courses.title(uncertain.length)} />}
      {certain.length > 0 && (
        <details>
          <summary>{TEXT.courses.certain(certain.length)}</summary>
          <Courses courses={certain} caption={TEXT.courses.certain(certain.length)} />
        </details>
      )}
    </ColumnFact>
  );
}

function chooseCourses(change: Partial<Pick<State, 'choices' | 'oneCourse'>>): void {
  update({ ...change, isStale: true });
  const { choices, oneCourse } = current();
  void call('chooseCourses', choices, oneCourse);
}

/** Courses of the file, each with its choice. */
export const Courses = (props: { readonly courses: readonly MatchedCourse[]; readonly caption: string }) => (
  <Table
    caption={props.caption}
    head={[TEXT.courses.old, text.count, TEXT.courses.becomes]}
    rows={props.courses}
    cells={(course) => [nameOf(course), course.rows, { text: course.id, node: () => <CourseChoice course={course} /> }]}
  />
);

const nameOf = ({ id, title }: MatchedCourse): string =>
  title === undefined || title === id ? id : `${id} – ${title}`;

function CourseChoice({ course: { id, course, candidates } }: { readonly course: MatchedCourse }) {
  const { choices } = useStore();
  const chosen = ownValue(choices, id) === undefined ? course?.platform_course_id : ownValue(choices, id);
  const choose = (to: number | null): void => chooseCourses({ choices: { ...current().choices, [id]: to } });
  const { leaveOut, states } = text;
  return (
    <>
      <CoursePicker
        key={String(chosen)}
        label={TEXT.courses.choiceOf(shown(id))}
        chosen={chosen ?? undefined}
        onChoose={choose}
      />
      {chosen === undefined &&
        candidates.map(({ course: each }) => (
          <Button text={TEXT.courses.use(titleOf(each))} kind="plain" onClick={() => choose(each.platform_course_id)} />
        ))}
      {chosen === null ? (
        <span class="hint">{states.leave_out}</span>
      ) : (
        <Button text={leaveOut} label={`${leaveOut}: ${shown(id)}`} kind="plain" onClick={() => choose(null)} />
      )}
    </>
  );
}

function DatesFact({ findings: { dates, choices }, task }: PartProps) {
  const sample = dates[0]?.samples[0];
  const odd = dates.reduce((sum, each) => sum + each.odd.length, 0);
  const chosen = choices.dates ?? {};
  const leftOut = Object.keys(chosen).filter((column) => ownValue(chosen, column) === 'leave_out');
  const said = sample === undefined ? '' : text.samples(shown(sample.text), dayOf(sample.date));
  return (
    <Fact
      label={text.dates}
      isOpen={dates.some(({ format }) => format === null)}
      what={odd === 0 ? said : `${said} · ${text.oddDates(odd)}`}
    >
      {dates.map(({ column, format, formats, orders, samples, first, last, odd: oddCells }) => (
        <>
          <Select
            label={text.formatOf(columnName(column))}
            value={format ?? ''}
            open={
              format !== null ? undefined : orders === null ? text.noFormat : text.bothOrders(orders.day, orders.month)
            }
            options={[
              ...formats.map((each) => [each, each === 'iso' ? 'YYYY-MM-DD' : each] as const),
              ...(orders === null ? [] : [['leave_out', text.dateOut] as const]),
            ]}
            onDecide={(to) => to !== '' && changeChoices(task, { dates: { ...choices.dates, [column]: to } })}
          />
          <p class="hint">
            {samples.map(({ text: cell, date }) => text.samples(shown(cell), dayOf(date))).join('; ')}
            {first !== null && last !== null && ` · ${text.range(dayOf(first), dayOf(last))}`}
          </p>
          {oddCells.length > 0 && <p>{text.odd(oddCells.map((cell) => TEXT.quoted(shown(cell))).join(', '))}</p>}
        </>
      ))}
      {leftOut.map((column) => (
        <p>
          {text.dateOutOf(columnName(column))}{' '}
          <Button
            text={TEXT.change}
            label={`${TEXT.change}: ${columnName(column)}`}
            kind="plain"
            onClick={() => {
              const { [column]: _, ...others } = chosen;
              changeChoices(task, { dates: others });
            }}
          />
        </p>
      ))}
      <Input
        label={text.zone}
        value={choices.timeZone ?? ''}
        placeholder="UTC"
        onChange={(zone) => changeChoices(task, { timeZone: zone === '' ? undefined : zone })}
      />
      <p class="hint">{text.zoneHint}</p>
    </Fact>
  );
}

function SheetsFact({ findings: { sheets } }: Pick<PartProps, 'findings'>) {
  const [read, left] = [sheets.filter(({ isImported }) => isImported), sheets.some(({ isImported }) => !isImported)];
  return (
    <Fact label={text.sheets} what={read.map(({ name }) => shown(name)).join(', ')} isOpen={left}>
      <Table
        caption={text.sheets}
        head={[TEXT.file.sheet, text.becomes]}
        rows={sheets}
        cells={({ name, isImported, reason }) => [
          name,
          isImported ? text.sheetIn : text.sheetOut(reason === null ? '' : sentenceOf(reason)),
        ]}
      />
      <a href="#/file">{TEXT.change}</a>
    </Fact>
  );
}
