/** The archive of the company: what it keeps of whom, of what and why, and what of a migration can be imported now. */
import { useState } from 'preact/hooks';
import { ARCHIVED_ERRORS } from '../../wire/values.ts';
import { Archived } from '../parts/archived.tsx';
import { Button, Card, Input } from '../parts/controls.tsx';
import { loadTitles } from '../parts/course-picker.tsx';
import { type Option, Select } from '../parts/select.tsx';
import { Doing, submitted, useTask } from '../parts/task.tsx';
import { runHref } from '../state/address.ts';
import { call } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import type { ArchiveFilter } from '../worker/archive.ts';
import type { ShownLearner } from '../worker/history.ts';
import { nameOfRun } from './migrations.tsx';

const text = TEXT.archive;

interface Props {
  readonly query: URLSearchParams;
}

export const ArchiveScreen = ({ query }: Props) => <Archive key={query.get('id')} run_id={query.get('id') ?? ''} />;

const REASONS = ARCHIVED_ERRORS.map((code): Option => [code, TEXT.rejected.reasons[code]?.() ?? code]);

function Archive({ run_id }: { readonly run_id: string }) {
  const [filter, setFilter] = useState({ run_id, email: '', course: '', error_code: '' });
  const [runs, setRuns] = useState<readonly Option[]>([]);
  const [archived, setArchived] = useState<ShownLearner['archived']>();
  const [next, setNext] = useState<string>();
  const look = async (wanted: typeof filter, cursor?: string): Promise<void> => {
    const found = await call('listArchive', wanted as ArchiveFilter, cursor);
    setArchived((known = []) => (cursor === undefined ? found.archived : [...known, ...found.archived]));
    setNext(found.next);
  };
  const task = useTask(async () => {
    await loadTitles();
    await look(filter);
    setRuns((await call('archivingRuns')).map((run) => [run.run_id, nameOfRun(run)]));
  });
  const narrow = (more: Partial<typeof filter>): void => setFilter({ ...filter, ...more });
  const records = TEXT.migrations.records(archived?.length ?? 0);
  const title = next === undefined ? records : text.first(records);
  const isListed = run_id === '' || runs.some(([id]) => id === run_id);
  return (
    <>
      <p class="hint">{text.intro}</p>
      <form class="card head" onSubmit={submitted(() => task.run(() => look(filter)))}>
        <Select
          label={TEXT.screens.run}
          isNarrow
          value={filter.run_id}
          options={[['', text.allRuns], ...(isListed ? runs : [[run_id, run_id] as const, ...runs])]}
          onDecide={(value) => narrow({ run_id: value })}
        />
        <Input label={TEXT.signIn.email} type="email" value={filter.email} onInput={(email) => narrow({ email })} />
        <Input label={TEXT.check.course} value={filter.course} onInput={(course) => narrow({ course })} />
        <Select
          label={TEXT.rejected.why}
          isNarrow
          value={filter.error_code}
          options={[['', TEXT.rejected.all], ...REASONS]}
          onDecide={(value) => narrow({ error_code: value })}
        />
        <button type="submit" class="main" disabled={task.isBusy}>
          {TEXT.learner.action}
        </button>
      </form>
      <Doing task={task} />
      {filter.run_id !== '' && <Alive key={filter.run_id} run_id={filter.run_id} />}
      {archived?.length === 0 && <p class="card">{text.empty}</p>}
      {archived !== undefined && archived.length > 0 && (
        <Card title={title}>
          <Archived caption={title} archived={archived} />
        </Card>
      )}
      {next !== undefined && (
        <Button
          text={TEXT.migrations.older}
          disabled={task.isBusy}
          onClick={() => task.run(() => look(filter, next))}
        />
      )}
    </>
  );
}

/** What of a migration can be imported now: only the platform can say so, by trying. Its plan is then like any other. */
function Alive({ run_id }: { readonly run_id: string }) {
  const task = useTask();
  const [found, setFound] = useState<Awaited<ReturnType<typeof tried>>>();
  const look = (): void => task.run(async () => setFound(await tried(run_id)));
  const plan = (import_ids: readonly string[]): void =>
    task.run(async () => {
      await call('planArchive', run_id, import_ids);
      location.hash = runHref(run_id);
    });
  return (
    <section class="card">
      <p class="hint">{text.tryHint}</p>
      {found !== undefined && <p class="verdict">{text.alive(found.importable, found.archived)}</p>}
      <Doing task={task} />
      <div class="actions">
        <Button text={text.tryAll} disabled={task.isBusy} onClick={look} />
        {found !== undefined && found.importable > 0 && (
          <Button text={text.plan} kind="main" disabled={task.isBusy} onClick={() => plan(found.import_ids)} />
        )}
      </div>
    </section>
  );
}

const tried = (run_id: string) => call('triedArchive', run_id);
