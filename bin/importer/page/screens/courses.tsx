import { useEffect, useState } from 'preact/hooks';
import { shown } from '../../engine/text.ts';
import { Table } from '../parts/table.tsx';
import { Busy, StepForm, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { current, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import type { MatchedCourse } from '../worker/catalog.ts';

const text = TEXT.courses;
const LEAVE_OUT = 'leave out';
/** A longer catalog is listed in a choice when a person comes to it: a hundred choices would have it a hundred times. */
const MOST_LISTED = 200;

export function CoursesScreen() {
  const { courses, choices, mapping } = useStore();
  const task = useTask();
  useEffect(() => {
    if (courses === undefined) task.run(load);
  }, [mapping]);
  const certain = courses?.filter((each) => each.course !== undefined) ?? [];
  const open = courses?.filter((each) => each.course === undefined) ?? [];
  const goOn = (): void => {
    task.run(async () => {
      if (open.some(({ id }) => choices[id] === undefined)) throw new Error(text.chooseFirst);
      update({ mapping: await call('chooseCourses', allChoices(certain), needsValues(courses ?? [])) });
      go('people');
    });
  };
  return (
    <StepForm task={task} onSubmit={goOn}>
      <p>{text.intro}</p>
      {task.isBusy && courses === undefined && <Busy />}
      {courses?.length === 0 && <p class="card">{text.none}</p>}
      {open.length > 0 && (
        <section class="card">
          <p>{text.open(open.length)}</p>
          <Choices caption={text.open(open.length)} courses={open} />
        </section>
      )}
      {certain.length > 0 && (
        <details class="card" open={open.length === 0}>
          <summary>{text.certain(certain.length)}</summary>
          <Choices caption={text.certain(certain.length)} courses={certain} />
        </details>
      )}
    </StepForm>
  );
}

async function load(): Promise<void> {
  const { courses, catalog } = await call('matchCourses');
  update({ courses, catalog });
}

const nameOf = ({ id, title }: MatchedCourse): string =>
  title === undefined || title === id ? id : `${id} – ${title}`;

/** The service knows ids that are registered; every other course has to be named by the mapping. */
const needsValues = (courses: readonly MatchedCourse[]): boolean =>
  courses.some(({ id, kind }) => kind !== 'registered' || current().choices[id] !== undefined);

function allChoices(certain: readonly MatchedCourse[]): Record<string, number | null> {
  const found = certain.flatMap(({ id, course }) => (course === undefined ? [] : [[id, course.platform_course_id]]));
  return { ...Object.fromEntries(found), ...current().choices };
}

const Choices = (props: { readonly caption: string; readonly courses: readonly MatchedCourse[] }) => (
  <Table
    caption={props.caption}
    head={[text.old, text.becomes, text.rows]}
    rows={props.courses}
    cells={(each) => [nameOf(each), { node: () => <Choice course={each} /> }, each.rows]}
  />
);

function Choice({ course: { id, course, candidates } }: { readonly course: MatchedCourse }) {
  const { catalog, choices } = useStore();
  const chosen = choices[id] === undefined ? course?.platform_course_id : choices[id];
  const value = chosen === null ? LEAVE_OUT : (chosen?.toString() ?? '');
  const choose = (next: string): void =>
    update({ choices: { ...current().choices, [id]: next === LEAVE_OUT ? null : Number(next) } });
  const [isListed, list] = useState(catalog.length <= MOST_LISTED);
  const showAll = (): void => list(true);
  const similar = candidates.map((each) => each.course);
  const others = catalog.filter((each) => !similar.some((one) => same(one, each)));
  return (
    <select
      aria-label={text.choiceOf(shown(id))}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
      onFocus={showAll}
      onPointerEnter={showAll}
    >
      {value === '' && (
        <option value="" selected>
          {text.choose}
        </option>
      )}
      <option value={LEAVE_OUT} selected={value === LEAVE_OUT}>
        {text.leaveOut}
      </option>
      {similar.length > 0 && <Group label={text.candidates} courses={similar} value={value} />}
      <Group
        label={text.all}
        courses={isListed ? others : others.filter((each) => String(each.platform_course_id) === value)}
        value={value}
      />
    </select>
  );
}

type Listed = { readonly platform_course_id: number; readonly title: string };

const same = (a: Listed, b: Listed): boolean => a.platform_course_id === b.platform_course_id;

const Group = (props: { readonly label: string; readonly courses: readonly Listed[]; readonly value: string }) => (
  <optgroup label={props.label}>
    {props.courses.map(({ platform_course_id, title }) => (
      <option value={platform_course_id} selected={String(platform_course_id) === props.value}>
        {`${platform_course_id} ${shown(title)}`}
      </option>
    ))}
  </optgroup>
);
