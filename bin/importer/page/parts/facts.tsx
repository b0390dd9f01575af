/** What the columns are: learner, course, dates and sheets, each with what was found, and a way to change it. */
import type { ComponentChildren } from 'preact';
import { shown } from '../../engine/text.ts';
import type { Choices, Findings, FoundColumn, FoundDates } from '../../engine/kinds/types.ts';
import { current, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { dayOf, TEXT } from '../texts/index.ts';
import type { MatchedCourse } from '../worker/catalog.ts';
import { CatalogList, CoursePicker, titleOf } from './course-picker.tsx';
import { Field, Select } from './field.tsx';
import { Table } from './table.tsx';
import { Problem, type Task, useTask } from './task.tsx';

const text = TEXT.review;

interface FactProps {
  readonly label: string;
  readonly what: ComponentChildren;
  readonly change?: string;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

const Fact = ({ label, what, change = TEXT.change, isOpen = false, children }: FactProps) => (
  <details class="card fact" open={isOpen}>
    <summary>
      <span class="label">{label}</span>
      <span class="change">{change}</span>
      <span class="what">{what}</span>
    </summary>
    {children}
  </details>
);

/** Other choices read the file again; what was confirmed stays where it still fits. */
export const changeChoices = (task: Task, change: Choices): void =>
  task.run(async () => {
    const { findings } = current();
    update({ meters: {} });
    const review = await call('changeChoices', { ...findings?.choices, ...change });
    update({ ...review, people: undefined, checked: undefined, mapping: undefined });
  });

export function Facts({ findings }: { readonly findings: Findings }) {
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
      <Problem task={task} />
      <CatalogList />
    </>
  );
}

interface ColumnProps {
  readonly label: string;
  readonly found: FoundColumn;
  readonly count: (found: number, of: number) => string;
  readonly onChoose: (column: string) => void;
  readonly change?: string;
  readonly isOpen?: boolean;
  readonly children?: ComponentChildren;
}

function ColumnFact({ label, found, count, onChoose, change, isOpen = false, children }: ColumnProps) {
  const { column, isUndecided, others } = found;
  const known = column === null ? others : [{ column, found: found.found, of: found.of }, ...others];
  const counted = ({ found: some, of }: { readonly found: number | null; readonly of: number }): string =>
    some === null ? text.unchecked(of) : count(some, of);
  return (
    <Fact
      label={label}
      isOpen={isOpen || isUndecided || column === null}
      {...(change === undefined ? {} : { change })}
      what={
        column === null ? (
          text.noColumn
        ) : (
          <>
            <strong>{shown(column)}</strong> · {counted(found)}
          </>
        )
      }
    >
      {isUndecided && <p>{text.unsure}</p>}
      <Field label={text.columnOf(label)}>
        <Select
          value={isUndecided ? '' : (column ?? '')}
          open={isUndecided || column === null ? text.unsure : undefined}
          options={known.map((each) => [each.column, `${shown(each.column)} · ${counted(each)}`])}
          onChange={(chosen) => chosen !== '' && onChoose(chosen)}
        />
      </Field>
      {children}
    </Fact>
  );
}

function CourseFact({ findings, task }: { readonly findings: Findings; readonly task: Task }) {
  const { courses, choices, oneCourse } = useStore();
  const open = courses.filter(({ id, course }) => course === undefined && choices[id] === undefined);
  const certain = courses.filter(({ course }) => course !== undefined);
  const uncertain = courses.filter(({ course }) => course === undefined);
  const hasColumn = findings.course.column !== null;
  return (
    <ColumnFact
      label={text.course}
      found={
        hasColumn && courses.length > 0
          ? { ...findings.course, found: courses.length - open.length, of: courses.length }
          : findings.course
      }
      count={text.matchedOf}
      onChoose={(course) => changeChoices(task, { course })}
      change={open.length > 0 ? text.chooseCourses(open.length) : TEXT.change}
      isOpen={!hasColumn}
    >
      {!hasColumn && (
        <Field label={text.oneCourse}>
          <CoursePicker
            label={text.oneCourse}
            chosen={oneCourse}
            onChoose={(course) => update({ oneCourse: course })}
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

const Courses = (props: { readonly courses: readonly MatchedCourse[]; readonly caption: string }) => (
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
  const chosen = choices[id] === undefined ? course?.platform_course_id : choices[id];
  const choose = (to: number | null): void =>
    update({ choices: { ...current().choices, [id]: to }, people: undefined, checked: undefined });
  return (
    <>
      <CoursePicker
        key={String(chosen)}
        label={TEXT.courses.choiceOf(shown(id))}
        chosen={chosen ?? undefined}
        onChoose={choose}
      />
      {chosen === undefined &&
        candidates.map((each) => (
          <button type="button" class="plain" onClick={() => choose(each.course.platform_course_id)}>
            {TEXT.courses.use(titleOf(each.course))}
          </button>
        ))}
      {chosen === null ? (
        <span class="hint">{TEXT.courses.leftOut}</span>
      ) : (
        <button
          type="button"
          class="plain"
          onClick={() => choose(null)}
          aria-label={`${TEXT.courses.leaveOut}: ${shown(id)}`}
        >
          {TEXT.courses.leaveOut}
        </button>
      )}
    </>
  );
}

function DatesFact({ findings, task }: { readonly findings: Findings; readonly task: Task }) {
  const { dates, choices } = findings;
  const [first] = dates;
  const odd = dates.reduce((sum, each) => sum + each.odd.length, 0);
  const isOpen = dates.some(({ format }) => format === null);
  const said =
    first?.samples[0] === undefined ? '' : text.samples(shown(first.samples[0].text), dayOf(first.samples[0].date));
  return (
    <Fact label={text.dates} isOpen={isOpen} what={odd === 0 ? said : `${said} · ${text.oddDates(odd)}`}>
      {dates.map((each) => (
        <Dates
          found={each}
          onChoose={(format) => changeChoices(task, { dates: { ...choices.dates, [each.column]: format } })}
        />
      ))}
      <Field label={text.zone}>
        <input
          value={choices.timeZone ?? ''}
          placeholder="UTC"
          onChange={({ currentTarget: { value } }) =>
            changeChoices(task, { timeZone: value === '' ? undefined : value })
          }
        />
      </Field>
      <p class="hint">{text.zoneHint}</p>
    </Fact>
  );
}

function Dates({ found, onChoose }: { readonly found: FoundDates; readonly onChoose: (format: string) => void }) {
  const { column, format, formats, samples, first, last, odd } = found;
  return (
    <>
      <Field label={text.formatOf(shown(column))}>
        <Select
          value={format ?? ''}
          open={format === null ? text.noFormat : undefined}
          options={formats.map((each) => [each, each === 'iso' ? 'YYYY-MM-DD' : each])}
          onChange={(chosen) => chosen !== '' && onChoose(chosen)}
        />
      </Field>
      <p class="hint">
        {samples.map(({ text: cell, date }) => text.samples(shown(cell), dayOf(date))).join('; ')}
        {first !== null && last !== null && ` · ${text.range(dayOf(first), dayOf(last))}`}
      </p>
      {odd.length > 0 && <p>{text.odd(odd.map((cell) => `“${shown(cell)}”`).join(', '))}</p>}
    </>
  );
}

const SheetsFact = ({ findings: { sheets } }: { readonly findings: Findings }) => (
  <Fact
    label={text.sheets}
    what={sheets
      .filter(({ isImported }) => isImported)
      .map(({ name }) => shown(name))
      .join(', ')}
    isOpen={sheets.some(({ isImported }) => !isImported)}
  >
    <Table
      caption={text.sheets}
      head={[TEXT.file.sheet, text.becomes]}
      rows={sheets}
      cells={({ name, isImported, reason }) => [name, isImported ? text.sheetIn : text.sheetOut(reason ?? '')]}
    />
    <a href="#/file">{TEXT.change}</a>
  </Fact>
);
