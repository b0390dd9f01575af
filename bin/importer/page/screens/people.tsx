import { useEffect } from 'preact/hooks';
import { shown } from '../../engine/text.ts';
import { download } from '../parts/download.ts';
import { Select } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, Problem, StepForm, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import type { People, Person } from '../worker/people.ts';

const text = TEXT.people;

export function PeopleScreen() {
  const { people, mapping, addresses } = useStore();
  const task = useTask();
  useEffect(() => task.run(async () => update({ people: await call('findPeople') })), [mapping]);
  const goOn = (): void =>
    task.run(async () => {
      if (Object.keys(addresses).length > 0)
        update({ mapping: await call('choosePeople', addresses), addresses: {}, checked: undefined });
      go('check');
    });
  return (
    <StepForm task={task} onSubmit={goOn}>
      <p>{text.intro}</p>
      {task.isBusy && <Busy text={text.reading} />}
      {people !== undefined && !task.isBusy && <Found people={people} />}
    </StepForm>
  );
}

function Found({ people: { total, active, others, canChoose } }: { readonly people: People }) {
  const task = useTask();
  const save = (): void => task.run(async () => download('people.csv', await call('peopleList'), 'text/csv'));
  if (others.length === 0) return <Notice kind="success">{text.allFound(total)}</Notice>;
  return (
    <section class="card">
      <p>{text.found(active, total)}</p>
      <p class="hint">{text.explain}</p>
      <Table
        caption={text.others}
        showsCaption
        head={[text.name, text.candidates, text.status, text.records]}
        rows={others}
        cells={(person) => [
          person.name,
          canChoose && person.candidates.length > 0
            ? { text: person.candidates.join(', '), node: () => <Choice person={person} /> }
            : person.candidates.join(', '),
          text.states[person.status],
          person.records,
        ]}
      />
      <button type="button" class="plain" onClick={save}>
        {text.download}
      </button>
      <Problem task={task} />
    </section>
  );
}

/** One of the users who may be meant, in place of the address in the file. */
function Choice({ person: { name, candidates } }: { readonly person: Person }) {
  const { addresses } = useStore();
  const choose = (email: string): void => {
    const { [name]: _, ...others } = addresses;
    update({ addresses: email === '' ? others : { ...others, [name]: email } });
  };
  return (
    <Select
      label={text.choiceOf(shown(name))}
      value={addresses[name] ?? ''}
      options={[['', text.stays], ...candidates.map((email) => [email, shown(email)] as const)]}
      onChange={choose}
    />
  );
}
