/** What a learner has, and from which migration. */
import { useState } from 'preact/hooks';
import { shown } from '../../engine/ground/text.ts';
import { Archived } from '../parts/archived.tsx';
import { Button, Card, Chips, Input } from '../parts/controls.tsx';
import { loadTitles } from '../parts/course-picker.tsx';
import { Table } from '../parts/table.tsx';
import { Doing, submitted, useTask } from '../parts/task.tsx';
import { runHref } from '../state/address.ts';
import { call } from '../state/store.ts';
import { dayOf, percentText, TEXT } from '../texts/index.ts';
import type { ShownCourse, ShownLearner } from '../worker/history.ts';

const { learner } = TEXT;

/** A learner's transcript by an address or a part of it, with the run that each part of it comes from. */
export function LearnerScreen() {
  const task = useTask();
  const [email, setEmail] = useState('');
  const [found, setFound] = useState<ShownLearner>();
  const [people, setPeople] = useState<readonly string[]>([]);
  const look = (wanted: string): void =>
    task.run(async () => {
      setFound(undefined);
      setPeople([]);
      const [one = wanted, ...others] = await call('peopleLike', wanted);
      if (others.length > 0) return setPeople([one, ...others]);
      setEmail(one);
      setFound(await call('learnerOf', one));
      await loadTitles();
    });
  return (
    <>
      <p class="hint">{learner.intro}</p>
      <form class="card narrow" onSubmit={submitted(() => look(email))}>
        <Input label={learner.who} type="search" required value={email} onInput={setEmail} />
        <button type="submit" class="main" disabled={task.isBusy}>
          {learner.action}
        </button>
      </form>
      <Doing task={task} />
      {people.length > 0 && (
        <section class="card narrow">
          <h2>{learner.several}</h2>
          {people.map((each) => (
            <p>
              <Button text={shown(each)} kind="plain" onClick={() => look(each)} />
            </p>
          ))}
        </section>
      )}
      {found !== undefined && <Shown learner={found} />}
    </>
  );
}

/** What is on the platform, and apart from it what the archive keeps. */
function Shown({ learner: { isKnown, courses, archived } }: { readonly learner: ShownLearner }) {
  return (
    <>
      {courses.length === 0 ? (
        <p class="card">{isKnown ? learner.empty : TEXT.problems.learner_not_found()}</p>
      ) : (
        <section class="card">
          <Table
            caption={learner.intro}
            head={[TEXT.check.course, learner.progress, learner.completed, learner.certified, learner.from]}
            rows={courses}
            cells={(course) => [
              shown(course.title ?? String(course.platform_course_id)),
              percentText(course.effective.completion_pct),
              day(course.effective.completed_at),
              day(course.effective.certified_at),
              { node: () => <From course={course} /> },
            ]}
          />
        </section>
      )}
      {archived.length > 0 && (
        <Card title={TEXT.archive.ofLearner}>
          <p class="hint">{TEXT.archive.intro}</p>
          <Archived caption={TEXT.archive.ofLearner} archived={archived} />
        </Card>
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
