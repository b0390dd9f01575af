/** What the platform has: the runs of the company, one of them, and what a learner has from which run. */
import { useState } from 'preact/hooks';
import { shown } from '../../engine/ground/text.ts';
import { SignEvidence } from './evidence.tsx';
import { Button, Card, Chips, Input, Notice } from '../parts/controls.tsx';
import { useTitles } from '../parts/course-picker.tsx';
import { courseOf, personOf, reasonOf, sentOf } from '../parts/record-words.ts';
import { Revert } from '../parts/revert.tsx';
import { Pairs, Table } from '../parts/table.tsx';
import { Doing, submitted, useTask } from '../parts/task.tsx';
import { RunCounts } from '../parts/written.tsx';
import { hrefOf, runHref } from '../state/address.ts';
import { call, current, update } from '../state/store.ts';
import { dayOf, momentOf, TEXT } from '../texts/index.ts';
import type { RunState, ShownRun } from '../../client/runs.ts';
import type { RunPage, ShownCourse } from '../worker/history.ts';

const { runs, learner } = TEXT;

const State = ({ state }: { readonly state: RunState }) => <span class={`state ${state}`}>{runs.states[state]}</span>;

export function RunsScreen() {
  const [found, setFound] = useState<readonly ShownRun[] | undefined>();
  const task = useTask(async () => setFound(await call('listRuns')));
  return (
    <>
      <p class="hint">{runs.intro}</p>
      <Doing task={task} />
      {found?.length === 0 && <p class="card">{runs.none}</p>}
      {found !== undefined && found.length > 0 && (
        <section class="card">
          <Table
            caption={runs.intro}
            head={[TEXT.screens.run, runs.state, runs.started, runs.imported, runs.rejected]}
            rows={found}
            cells={({ run_id, state, created_at, counts }) => [
              { text: run_id, node: () => <a href={runHref(run_id)}>{shown(run_id)}</a> },
              { text: runs.states[state], node: () => <State state={state} /> },
              momentOf(created_at),
              counts.succeeded,
              counts.failed,
            ]}
          />
        </section>
      )}
    </>
  );
}

/** One run, from any machine: who, when, what became of it, the rejected records, and the way back. */
export function RunScreen({ query }: { readonly query: URLSearchParams }) {
  const run_id = query.get('id') ?? '';
  const [page, setPage] = useState<RunPage | undefined>();
  const titles = useTitles();
  const load = async (): Promise<void> => {
    setPage(await call('runPage', run_id));
    if (current().catalog.length === 0) update({ catalog: await call('courseTitles') });
  };
  const task = useTask(load, run_id);
  const cancel = (): void =>
    task.run(async () => {
      await call('cancelRun', run_id);
      await load();
    });
  return (
    <>
      <p>
        <a href={hrefOf('runs')}>{runs.allRuns}</a>
      </p>
      <Doing task={task} text={page && null} />
      {page !== undefined && (
        <>
          <Facts page={page} />
          {page.run.state === 'processing' && <Button text={TEXT.import.cancel} onClick={cancel} />}
          <div class="cards">
            {page.run.state !== 'processing' && <SignEvidence run_id={run_id} />}
            {canRevert(page.run) && <Revert key={run_id} run_id={run_id} onReverted={() => void load()} />}
          </div>
          {page.isExpired && <Notice kind="note">{runs.expired}</Notice>}
          {page.rejected.length > 0 && (
            <Card title={TEXT.rejected.stayed(page.rejected.length)}>
              <Table
                caption={TEXT.rejected.stayed(page.rejected.length)}
                head={[TEXT.review.person, TEXT.check.course, TEXT.rejected.why, TEXT.rejected.sent]}
                rows={page.rejected}
                cells={({ record, code, field }) => [
                  personOf(record),
                  courseOf(record, titles),
                  reasonOf({ code, field, column: undefined, value: valueAt(record, code, field) }),
                  sentOf(record),
                ]}
              />
            </Card>
          )}
        </>
      )}
    </>
  );
}

const canRevert = ({ state, counts }: ShownRun): boolean =>
  state !== 'processing' && state !== 'reverted' && counts.succeeded > 0;

function Facts({ page: { run, by } }: { readonly page: RunPage }) {
  const { run_id, state, created_at, completed_at, reverted_at, created_by, counts } = run;
  const ended = reverted_at ?? completed_at;
  const facts: readonly (readonly [string, string])[] = [
    [runs.by, by ?? (created_by === undefined ? '–' : runs.userId(created_by))],
    [runs.started, momentOf(created_at)],
    ...(ended === null ? [] : [[reverted_at === null ? runs.ended : runs.states.reverted, momentOf(ended)] as const]),
  ];
  return (
    <Card title={shown(run_id)} beside={<State state={state} />}>
      <div class="cards">
        <Pairs caption={TEXT.screens.run} pairs={facts} />
        <RunCounts counts={counts} />
      </div>
    </Card>
  );
}

/** The value that the reason is about: that of its member, else the person. */
function valueAt(record: unknown, code: string, field: string | undefined): string {
  if (field === undefined) return code.includes('user') ? personOf(record) : '';
  let value: unknown = record;
  for (const name of field.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A learner's transcript by address, with the run that each part of it comes from. */
export function LearnerScreen() {
  const task = useTask();
  const [email, setEmail] = useState('');
  const [courses, setCourses] = useState<readonly ShownCourse[] | undefined>();
  const look = (): void =>
    task.run(async () => {
      setCourses(undefined);
      setCourses(await call('learnerOf', email));
    });
  return (
    <>
      <p class="hint">{learner.intro}</p>
      <form class="card narrow" onSubmit={submitted(look)}>
        <Input label={TEXT.signIn.email} type="email" required value={email} onInput={setEmail} />
        <button type="submit" class="main" disabled={task.isBusy}>
          {learner.action}
        </button>
      </form>
      <Doing task={task} />
      {courses?.length === 0 && <p class="card">{learner.empty}</p>}
      {courses !== undefined && courses.length > 0 && (
        <section class="card">
          <Table
            caption={learner.intro}
            head={[TEXT.check.course, learner.progress, learner.completed, learner.certified, learner.from]}
            rows={courses}
            cells={(course) => [
              shown(course.title ?? String(course.platform_course_id)),
              `${course.effective.completion_pct} %`,
              day(course.effective.completed_at),
              day(course.effective.certified_at),
              { node: () => <From course={course} /> },
            ]}
          />
        </section>
      )}
    </>
  );
}

const day = (instant: string | null): string => (instant === null ? '' : dayOf(instant));

/** Every import of the course, with the completion that it has brought. */
const From = ({ course: { native, contributions } }: { readonly course: ShownCourse }) => (
  <Chips
    chips={[
      ...(native === null ? [] : [learner.own]),
      ...contributions.map(({ imported_at, completed_at, replaced_by, run_id }) => (
        <>
          {run_id === null ? (
            learner.ofRun(dayOf(imported_at))
          ) : (
            <a href={runHref(run_id)}>{learner.ofRun(dayOf(imported_at))}</a>
          )}
          {completed_at !== null && <span class="hint"> {dayOf(completed_at)}</span>}
          {replaced_by !== undefined && <span class="hint"> {learner.replaced}</span>}
        </>
      )),
    ]}
  />
);
