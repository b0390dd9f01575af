import { jsonFile, shown } from '../../engine/text.ts';
import { columnOf } from '../../engine/mapping/named-columns.ts';
import type { Mapping } from '../../engine/mapping/schema.ts';
import type { Findings, Kind } from '../../engine/kinds/types.ts';
import { download } from '../parts/download.ts';
import { changeChoices, Facts } from '../parts/facts.tsx';
import { completedMeansPassed, decided, hasOddCell, KindList, progressOf, statesOf } from '../parts/kinds.tsx';
import { Notice } from '../parts/notice.tsx';
import { StateBar } from '../parts/state-bar.tsx';
import { Busy, Problem, StepForm, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { current, type State, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts/index.ts';

const text = TEXT.review;

const rowsOf = (kinds: readonly Kind[]): number => kinds.reduce((sum, { rows }) => sum + rows, 0);

export function ReviewScreen() {
  const { findings, meters, courses, choices } = useStore();
  const task = useTask();
  if (findings === undefined) return null;
  const goOn = (): void =>
    task.run(async () => {
      await accept();
      const people = await call('findPeople');
      update({ people, addresses: {}, checked: undefined });
      go(people.others.length === 0 ? 'check' : 'people');
    });
  const save = (): void =>
    task.run(async () => {
      await accept();
      const name = (current().files[0]?.name ?? 'history').replace(/\.[^.]*$/, '');
      const { mapping } = current();
      download(`${name}.mapping.json`, jsonFile(mapping), 'application/json');
    });
  const others = (
    <button type="button" disabled={task.isBusy} onClick={save}>
      {text.save}
    </button>
  );
  return (
    <StepForm task={task} onSubmit={goOn} open={openOf(findings, courses, choices)} others={others}>
      <p class="hint">{text.intro(findings.kinds.length)}</p>
      <Facts findings={findings} />
      {task.isBusy && <Busy text={(meters.read ?? 0) === 0 ? undefined : TEXT.people.reading} />}
      <StateBar label={text.becomes} counts={statesOf(findings.kinds)} />
      <ColumnQuestions findings={findings} />
      <Kinds findings={findings} />
      <OtherColumns findings={findings} />
    </StepForm>
  );
}

const openOf = (findings: Findings, courses: State['courses'], choices: State['choices']): string => {
  const open = courses.filter(({ id, course }) => course === undefined && choices[id] === undefined).length;
  return [progressOf(findings), ...(open === 0 ? [] : [TEXT.courses.title(open)])].join(' · ');
};

/** @returns what has to be decided about the whole file before anything of it is imported */
function firstOpen({ learner, dates, parts, freeText, isShapeOpen, kinds }: Findings): string | undefined {
  if (learner.column === null || learner.isUndecided) return text.needsLearner;
  if (dates.some(({ format }) => format === null)) return text.noFormat;
  if (isShapeOpen || parts.length + freeText.length > 0) return text.needsColumns;
  return kinds.some(({ confirmed }) => confirmed) ? undefined : text.nothing;
}

async function accept(): Promise<void> {
  const { findings, choices, oneCourse } = current();
  if (findings === undefined) return;
  const needsCourse = findings.course.column === null || findings.course.isUndecided;
  if (needsCourse && oneCourse === undefined) throw new Error(text.needsCourse);
  const open = firstOpen(findings);
  if (open !== undefined) throw new Error(open);
  update({ mapping: await call('acceptReview', choices, needsCourse ? oneCourse : undefined) });
}

/** Undecided kinds first, open; then the suggestions, which one button confirms; then what is confirmed. */
function Kinds({ findings }: { readonly findings: Findings }) {
  const { kinds } = findings;
  const undecided = kinds.filter(({ outcome }) => outcome === null);
  const odd = undecided.filter(hasOddCell);
  const open = undecided.filter((kind) => !hasOddCell(kind));
  const suggested = kinds.filter(({ outcome, confirmed }) => outcome !== null && !confirmed);
  const confirmed = kinds.filter((kind) => kind.confirmed);
  return (
    <>
      {undecided.length > 0 && (
        <section>
          <div class="head">
            <h2>{text.undecided(undecided.length, rowsOf(undecided))}</h2>
            <p class="hint">{text.undecidedHint}</p>
          </div>
          {open.length > 0 && <KindList findings={findings} kinds={open} isOpen />}
          {odd.length > 0 && (
            <details>
              <summary>{text.oddDates(rowsOf(odd))}</summary>
              <KindList findings={findings} kinds={odd} />
            </details>
          )}
        </section>
      )}
      {suggested.length > 0 && (
        <section>
          <div class="head">
            <h2>{text.suggested(suggested.length, rowsOf(suggested))}</h2>
            <button type="button" class="main" onClick={() => void call('confirmAll').then(decided)}>
              {text.confirmAll(suggested.length)}
            </button>
          </div>
          <KindList findings={findings} kinds={suggested} />
        </section>
      )}
      {confirmed.length > 0 && (
        <section>
          <div class="head">
            <h2>{text.confirmed(confirmed.length, rowsOf(confirmed))}</h2>
          </div>
          <Exam kinds={confirmed} />
          <KindList findings={findings} kinds={confirmed} />
        </section>
      )}
    </>
  );
}

/** “Passed” and “completed” differ only where a course has an exam. */
const Exam = ({ kinds }: { readonly kinds: readonly Kind[] }) =>
  kinds.some(({ outcome }) => outcome === 'completed') ? (
    <p class="hint">
      {text.certifiedHint}{' '}
      <button type="button" class="plain" onClick={() => void completedMeansPassed()}>
        {text.examYes}
      </button>
    </p>
  ) : null;

/** Empty cells below a text, columns that make too many kinds, or that may name a part of a course: a person says what they are. */
function ColumnQuestions({
  findings: { freeText, parts, isShapeOpen, base, choices },
}: {
  readonly findings: Findings;
}) {
  const task = useTask();
  if (isShapeOpen)
    return (
      <Notice kind="warning">
        <p>{text.fillDown((base.fill_down ?? []).map(shown).join(', '))}</p>
        <button type="button" onClick={() => changeChoices(task, { shape: true })}>
          {text.fillDownYes}
        </button>{' '}
        <button type="button" onClick={() => changeChoices(task, { shape: false })}>
          {text.fillDownNo}
        </button>
        <Problem task={task} />
      </Notice>
    );
  if (parts.length > 0)
    return (
      <Notice kind="warning">
        <p>{text.parts(parts.map(shown).join(', '))}</p>
        <button type="button" onClick={() => changeChoices(task, { wholeCourse: true })}>
          {text.wholeCourse}
        </button>
        <Problem task={task} />
      </Notice>
    );
  if (freeText.length === 0) return null;
  return (
    <Notice kind="warning">
      <p>{text.freeText(freeText.map(shown).join(', '))}</p>
      {freeText.map((column) => (
        <button type="button" onClick={() => changeChoices(task, { state: { ...choices.state, [column]: false } })}>
          {text.putOut(shown(column))}
        </button>
      ))}
      <Problem task={task} />
    </Notice>
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
function OtherColumns({ findings: { others, columns, choices, base } }: { readonly findings: Findings }) {
  const task = useTask();
  const bring = (column: string, isIn: boolean): void =>
    changeChoices(task, { state: { ...choices.state, [column]: isIn } });
  const besides = fieldsOf(base.record);
  return (
    <section class="card">
      {besides.size > 0 && (
        <>
          <h2>{text.besides}</h2>
          <ul class="chips">
            {[...besides].map(([column, field]) => (
              <li class="chip">
                {shown(column)} <span class="hint">→ {TEXT.fields[field]}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{text.others}</h2>
      <p class="hint">{text.othersHint}</p>
      <ul class="chips">
        {others
          .filter(({ column }) => !besides.has(column))
          .map(({ column, distinct, state }) => (
            <li class="chip">
              {shown(column)} <span class="hint">{text.distinct(distinct)}</span>
              {state !== null && (
                <button
                  type="button"
                  class="plain"
                  aria-label={text.split(shown(column))}
                  onClick={() => bring(column, true)}
                >
                  {text.splitShort}
                </button>
              )}
            </li>
          ))}
      </ul>
      <h3>{text.usedColumns}</h3>
      <ul class="chips">
        {Object.keys(columns).map((column) => (
          <li class="chip">
            {shown(column)}
            <button
              type="button"
              class="plain"
              aria-label={text.putOut(shown(column))}
              onClick={() => bring(column, false)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {task.isBusy && <Busy />}
      <Problem task={task} />
    </section>
  );
}
