import { newMigration, openFiles } from '../state/migration.ts';
import { current, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import { Button, Card } from './controls.tsx';
import { loadTitles } from './course-picker.tsx';
import { Doing, useTask } from './task.tsx';

const text = TEXT.firstTime;

/** Rows of this company: courses that it has, and the person who is signed in. Nothing is imported before the last step. */
async function sampleFile(email: string): Promise<File> {
  await loadTitles();
  const [first, second, third] = current().catalog;
  const rows = [
    'Email,Course,Status,Progress %,Completed on',
    ...[first, second].flatMap((course) =>
      course === undefined ? [] : [rowOf(email, course.title, 'Completed,100,2023-05-12')],
    ),
    ...(third === undefined ? [] : [rowOf(email, third.title, 'In progress,40,')]),
    rowOf('somebody@old.example', first?.title ?? '', 'Completed,100,2022-11-30'),
  ];
  return new File([rows.join('\n')], text.fileName);
}

const rowOf = (email: string, title: string, state: string): string =>
  `${email},"${title.replaceAll('"', '""')}",${state}`;

/** How a migration goes, what a person can rely on, and a file to try. */
export function FirstTime() {
  const { account } = useStore();
  const task = useTask();
  const start = (): void =>
    task.run(async () => {
      const file = await sampleFile(account?.email ?? '');
      await newMigration();
      await openFiles([file], {});
    });
  return (
    <div class="cards first-time">
      <Card title={text.title}>
        {listed(text.steps)}
        <Button text={text.sample} kind="plain" disabled={task.isBusy} onClick={start} />
        <Doing task={task} />
      </Card>
      <Card title={text.rely}>{listed(text.promises)}</Card>
    </div>
  );
}

const listed = (points: readonly string[]) => (
  <ol>
    {points.map((point) => (
      <li>{point}</li>
    ))}
  </ol>
);
