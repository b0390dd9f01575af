import { useEffect } from 'preact/hooks';
import { csvLine, defused } from '../../importer/source/csv-text.ts';
import { download } from '../parts/download.ts';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, Problem, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import type { People } from '../worker/people.ts';

const text = TEXT.people;
const MOST_SHOWN = 200;

export function PeopleScreen() {
  const { people, mapping } = useStore();
  const task = useTask();
  useEffect(() => task.run(async () => update({ people: await call('findPeople') })), [mapping]);
  const goOn = (event: Event): void => {
    event.preventDefault();
    go('check');
  };
  return (
    <form onSubmit={goOn}>
      <p>{text.intro}</p>
      {task.isBusy && <Busy text={text.reading} />}
      {people !== undefined && !task.isBusy && <Found people={people} />}
      <Problem task={task} />
      <div class="actions">
        <button type="submit" class="main" disabled={task.isBusy}>
          {TEXT.continue}
        </button>
      </div>
    </form>
  );
}

function Found({ people: { total, active, others } }: { readonly people: People }) {
  if (others.length === 0) return <Notice kind="success">{text.allFound(total)}</Notice>;
  return (
    <section class="card">
      <p>{text.found(active, total)}</p>
      <p class="hint">{text.explain}</p>
      <Table
        caption={text.others}
        head={[text.name, text.status, text.records]}
        rows={others.slice(0, MOST_SHOWN).map(({ name, status, records }) => [name, text.states[status], records])}
        hasRowNames
      />
      <button type="button" class="plain" onClick={() => download('people.csv', listOf(others), 'text/csv')}>
        {text.download}
      </button>
    </section>
  );
}

/** Excel reads accents wrong without a byte-order mark. */
const listOf = (others: People['others']): string =>
  [
    '\u{feff}person,status,records\n',
    ...others.map(({ name, status, records }) => `${csvLine([defused(name), status, String(records)], ',')}\n`),
  ].join('');
