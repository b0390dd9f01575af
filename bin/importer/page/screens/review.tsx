import { ownValue } from '../../engine/ground/own-value.ts';
import { useState } from 'preact/hooks';
import { jsonFile } from '../../engine/ground/text.ts';
import { columnOf } from '../../engine/language/named-columns.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import type { Findings, Kind } from '../../engine/language/findings.ts';
import { differs } from '../../engine/decide/outcomes.ts';
import { ProposedForAll } from '../parts/proposed.tsx';
import { Asked, inState, named, questionOf } from '../parts/questions.tsx';
import { confirmAll, isSystemOpen, SystemQuestion } from '../parts/system.tsx';
import { Button, Chips, download, Group } from '../parts/controls.tsx';
import { changeChoices, Facts, useOpenCourses } from '../parts/facts.tsx';
import {
  completedMeansPassed,
  grouped,
  type GroupName,
  hasOddCell,
  type Held,
  KindList,
  progressOf,
  rowsOf,
  StateBar,
} from '../parts/kinds.tsx';
import { Busy, Doing, StepForm, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { call, current, UNCHECKED, update, useStore } from '../state/store.ts';
import { columnName, TEXT } from '../texts/index.ts';

const text = TEXT.review;

export function ReviewScreen() {
  const { findings, oneCourse, isReading } = useStore();
  const openCourses = useOpenCourses().length;
  const task = useTask(undefined, findings, oneCourse);
  if (findings === undefined) return null;
  const question = questionOf(findings);
  const isAsked = isSystemOpen(findings);
  const goOn = (): void =>
    task.run(async () => {
      await accept();
      update(UNCHECKED);
      go('import');
    });
  const save = (): void =>
    task.run(async () => {
      await accept();
      const name = (current().files[0]?.name ?? 'history').replace(/\.[^.]*$/, '');
      const { mapping } = current();
      download(`${name}.mapping.json`, jsonFile(mapping), 'application/json');
    });
  const open = [progressOf(findings), ...(openCourses === 0 ? [] : [TEXT.courses.title(openCourses)])].join(' · ');
  const others = <Button text={text.save} disabled={task.isBusy || isReading} onClick={save} />;
  return (
    <StepForm task={task} onSubmit={goOn} open={open} others={others} isDisabled={isReading}>
      <fieldset disabled={isReading}>
        <p class="hint">{text.intro(findings.kinds.length)}</p>
        <ProposedForAll />
        <Facts findings={findings} />
        <Busy isBusy={task.isBusy} text={TEXT.working} />
        <StateBar kinds={findings.kinds} />
        {isAsked ? (
          <SystemQuestion system={findings.system} />
        ) : (
          <>
            {question !== undefined && <Asked kind="warning" {...question} />}
            <Kinds findings={findings} />
            <OtherColumns findings={findings} />
          </>
        )}
      </fieldset>
    </StepForm>
  );
}

/** @returns what has to be decided about the whole file before anything of it is imported */
function firstOpen(findings: Findings): string | undefined {
  const { learner, dates, kinds } = findings;
  if (learner.column === null || learner.isUndecided) return text.needsLearner;
  if (dates.some(({ format }) => format === null)) return text.noFormat;
  if (questionOf(findings) !== undefined || isSystemOpen(findings)) return text.needsColumns;
  return kinds.some(({ confirmed }) => confirmed) ? undefined : text.nothing;
}

async function accept(): Promise<void> {
  // An answer given a moment ago is in the findings of the worker first.
  const findings = await call('findingsNow');
  const { oneCourse } = current();
  const needsCourse = findings.course.column === null || findings.course.isUndecided;
  if (needsCourse && oneCourse === undefined) throw new Error(text.needsCourse);
  const open = firstOpen(findings);
  if (open !== undefined) throw new Error(open);
  update({ mapping: await call('acceptReview') });
}

/** Undecided kinds first, open; then the suggestions, which one button confirms; then what is confirmed. */
function Kinds({ findings }: { readonly findings: Findings }) {
  const { kinds, unclear } = findings;
  const [held, hold] = useState<Held | undefined>();
  const { undecided, proposed, suggested, confirmed } = grouped(kinds, held);
  const [odd, open] = [undecided.listed.filter(hasOddCell), undecided.listed.filter((kind) => !hasOddCell(kind))];
  const list = (group: GroupName, shownKinds: readonly Kind[], isOpen = false) => (
    <KindList
      findings={findings}
      kinds={shownKinds}
      group={group}
      onHold={hold}
      onRelease={(id) => hold((now) => (now?.id === id ? undefined : now))}
      isOpen={isOpen}
    />
  );
  return (
    <>
      {undecided.listed.length > 0 && (
        <Group
          title={text.undecided(undecided.kinds.length, rowsOf(undecided.kinds))}
          beside={<p class="hint">{text.undecidedHint}</p>}
        >
          {unclear.length > 0 && (
            <Asked
              kind="note"
              asked={text.unclear(named(unclear))}
              answers={unclear.map((column) => [text.noMatter(columnName(column)), inState(findings, column, false)])}
            />
          )}
          {open.length > 0 && list('undecided', open, true)}
          {odd.length > 0 && (
            <details>
              <summary>{text.oddDates(rowsOf(odd))}</summary>
              {list('undecided', odd)}
            </details>
          )}
        </Group>
      )}
      {proposed.listed.length > 0 && (
        <Group
          title={text.proposed(proposed.kinds.length, rowsOf(proposed.kinds))}
          beside={<p class="hint">{text.proposedHint}</p>}
        >
          {list(
            'proposed',
            proposed.listed.toSorted((a, b) => Number(differs(b)) - Number(differs(a))),
            true,
          )}
        </Group>
      )}
      {suggested.listed.length > 0 && (
        <Group
          title={text.suggested(suggested.kinds.length, rowsOf(suggested.kinds))}
          beside={
            suggested.kinds.length > 0 && (
              <Button text={text.confirmAll(suggested.kinds.length)} kind="main" onClick={confirmAll} />
            )
          }
        >
          {list('suggested', suggested.listed)}
        </Group>
      )}
      {confirmed.listed.length > 0 && (
        <Group title={text.confirmed(confirmed.kinds.length, rowsOf(confirmed.kinds))}>
          {/* “Passed” and “completed” differ only where a course has an exam. */}
          {confirmed.kinds.some(({ outcome }) => outcome === 'completed') && (
            <p class="hint">
              {text.certifiedHint} <Button text={text.examYes} kind="plain" onClick={completedMeansPassed} />
            </p>
          )}
          {list('confirmed', confirmed.listed)}
        </Group>
      )}
    </>
  );
}

/** Columns that fill a member whatever a row becomes: dates and scores. */
function fieldsOf(record: Mapping['record']): Map<string, string> {
  const found = Object.entries(record).flatMap(([field, given]) =>
    /^(?:progress|assessment)\./.test(field)
      ? [given]
          .flat()
          .flatMap((source) => columnOf(source) ?? [])
          .map((column) => [column, field] as const)
      : [],
  );
  return new Map(found.toReversed());
}

/** The columns that no kind depends on, by name; each can be brought in, and those that are in can be put out. */
function OtherColumns({ findings }: { readonly findings: Findings }) {
  const { others, columns, base } = findings;
  const task = useTask();
  const besides = fieldsOf(base.record);
  const chip = (column: string, hint: string, label?: string, sign = '', isIn = false) => (
    <>
      {columnName(column)} {hint !== '' && <span class="hint">{hint}</span>}
      {label !== undefined && (
        <Button
          text={sign}
          kind="plain"
          label={label}
          onClick={() => changeChoices(task, inState(findings, column, isIn))}
        />
      )}
    </>
  );
  return (
    <section class="card">
      {besides.size > 0 && (
        <>
          <h2>{text.besides}</h2>
          <Chips
            chips={[...besides].map(([column, field]) => chip(column, `→ ${ownValue(TEXT.fields, field) ?? ''}`))}
          />
        </>
      )}
      <h2>{text.others}</h2>
      <p class="hint">{text.othersHint}</p>
      <Chips
        chips={others
          .filter(({ column }) => !besides.has(column))
          .map(({ column, distinct, state }) =>
            state === null
              ? chip(column, text.distinct(distinct))
              : chip(column, text.distinct(distinct), text.split(columnName(column)), text.splitShort, true),
          )}
      />
      <h3>{text.usedColumns}</h3>
      <Chips chips={Object.keys(columns).map((column) => chip(column, '', text.putOut(columnName(column)), '×'))} />
      <Doing task={task} />
    </section>
  );
}
