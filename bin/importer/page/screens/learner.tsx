import { useState } from 'preact/hooks';
import { shown } from '../../engine/text.ts';
import { Field } from '../parts/field.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, Problem, submitted, useTask } from '../parts/task.tsx';
import { runHref } from '../state/address.ts';
import { call, WorkerError } from '../state/worker.ts';
import { dayOf, TEXT } from '../texts/index.ts';
import type { ShownCourse } from '../worker/history.ts';

const text = TEXT.learner;

/** A learner's transcript by address, with the run that each part of it comes from. */
export function LearnerScreen() {
  const task = useTask();
  const [email, setEmail] = useState('');
  const [courses, setCourses] = useState<readonly ShownCourse[] | undefined>();
  const look = (): void =>
    task.run(async () => {
      setCourses(undefined);
      try {
        setCourses(await call('learnerOf', email));
      } catch (error) {
        const isUnknown = error instanceof WorkerError && error.failure.codes.includes('learner_not_found');
        throw isUnknown ? new Error(text.none, { cause: error }) : error;
      }
    });
  return (
    <>
      <p class="hint">{text.intro}</p>
      <form class="card narrow" onSubmit={submitted(look)}>
        <Field label={text.email}>
          <input type="email" required value={email} onInput={(event) => setEmail(event.currentTarget.value)} />
        </Field>
        <button type="submit" class="main" disabled={task.isBusy}>
          {text.action}
        </button>
      </form>
      {task.isBusy && <Busy />}
      <Problem task={task} />
      {courses?.length === 0 && <p class="card">{text.empty}</p>}
      {courses !== undefined && courses.length > 0 && (
        <section class="card">
          <Table
            caption={text.intro}
            head={[text.course, text.progress, text.completed, text.certified, text.from]}
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
  <ul class="chips">
    {native !== null && <li class="chip">{text.own}</li>}
    {contributions.map(({ imported_at, completed_at, run_id }) => (
      <li class="chip">
        {run_id === undefined ? (
          text.ofRun(dayOf(imported_at))
        ) : (
          <a href={runHref(run_id)}>{text.ofRun(dayOf(imported_at))}</a>
        )}
        {completed_at !== null && <span class="hint"> {dayOf(completed_at)}</span>}
      </li>
    ))}
  </ul>
);
