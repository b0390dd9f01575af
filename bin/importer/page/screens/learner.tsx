import { useState } from 'preact/hooks';
import type { LearnerCourse } from '../../wire/types.ts';
import { shown } from '../../engine/text.ts';
import { Field } from '../parts/field.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, Problem, submitted, useTask } from '../parts/task.tsx';
import { call, WorkerError } from '../state/worker.ts';
import { TEXT } from '../texts.ts';

const text = TEXT.learner;

/** A learner's transcript by address. */
export function LearnerScreen() {
  const task = useTask();
  const [email, setEmail] = useState('');
  const [courses, setCourses] = useState<readonly LearnerCourse[] | undefined>();
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
      <p>{text.intro}</p>
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
            head={[text.course, text.progress, text.completed, text.certified, text.records]}
            rows={courses}
            cells={({ platform_course_id, title, effective, contributions }) => [
              `${platform_course_id} ${shown(title ?? '')}`,
              effective.completion_pct,
              dayOf(effective.completed_at),
              dayOf(effective.certified_at),
              contributions.length,
            ]}
          />
        </section>
      )}
    </>
  );
}

const dayOf = (instant: string | null): string => instant?.slice(0, 10) ?? '';
