import { shown } from '../../engine/ground/text.ts';
import { csvLine, defused } from '../../engine/read/csv.ts';
import { Button, download, Input, Notice } from '../parts/controls.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, StepForm, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { call, current, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import type { People } from '../worker/matches.ts';

type Person = People['others'][number];

const text = TEXT.people;

export function PeopleScreen() {
  const { people, addresses, mapping } = useStore();
  const find = async (): Promise<void> => update({ people: await call('findPeople') });
  const task = useTask(people === undefined ? find : undefined, mapping);
  const goOn = (): void =>
    task.run(async () => {
      if (Object.keys(addresses).length > 0)
        update({
          mapping: await call('choosePeople', addresses),
          people: undefined,
          addresses: {},
          checked: undefined,
        });
      go('check');
    });
  const open = people?.others.filter(({ name }) => addresses[name] === undefined).length ?? 0;
  return (
    <StepForm task={task} onSubmit={goOn} open={open === 0 ? undefined : text.open(open)}>
      <p class="hint">{text.intro}</p>
      <Busy isBusy={task.isBusy && people === undefined} text={text.reading} />
      {people !== undefined && <Found people={people} />}
    </StepForm>
  );
}

const choose = (name: string, email: string): void => {
  const { [name]: _, ...others } = current().addresses;
  update({ addresses: email.trim() === '' ? others : { ...others, [name]: email.trim() } });
};

function Found({ people: { total, active, others, canChoose } }: { readonly people: People }) {
  if (others.length === 0) return <Notice kind="success">{text.allFound(total)}</Notice>;
  const suggested = canChoose ? others.filter(({ candidates }) => candidates.length === 1) : [];
  const useAll = (): void => {
    const chosen = suggested.map(({ name, candidates }) => [name, candidates[0] ?? '']);
    update({ addresses: { ...current().addresses, ...Object.fromEntries(chosen) } });
  };
  const head = [text.name, text.status, TEXT.review.count, text.instead].slice(0, canChoose ? 4 : 3);
  return (
    <section class="card">
      <p>
        <strong>{text.found(active, total)}</strong> {text.explain}
      </p>
      <div class="head">
        <h2>{text.others}</h2>
        {suggested.length > 0 && <Button text={text.useAll(suggested.length)} onClick={useAll} />}
      </div>
      <Table
        caption={text.others}
        head={head}
        rows={others}
        cells={(person) =>
          [
            person.name,
            text.states[person.status],
            person.records,
            { text: person.candidates.join(', '), node: () => <Address person={person} /> },
          ].slice(0, head.length)
        }
      />
      <Button text={text.download} kind="plain" onClick={() => download('people.csv', listOf(others), 'text/csv')} />
    </section>
  );
}

/** The address to use in place of the one in the file: typed, or one of those that are suggested. */
function Address({ person: { name, candidates } }: { readonly person: Person }) {
  const { addresses } = useStore();
  const list = `for ${name}`;
  return (
    <>
      <Input
        type="email"
        aria-label={text.choiceOf(shown(name))}
        value={addresses[name] ?? ''}
        placeholder={candidates[0]}
        list={candidates.length === 0 ? undefined : list}
        onInput={(email) => choose(name, email)}
      />
      {candidates.length > 0 && (
        <datalist id={list}>
          {candidates.map((email) => (
            <option value={email} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Excel reads accents wrong without a byte-order mark. */
const listOf = (others: readonly Person[]): string =>
  [
    `\u{feff}${csvLine([text.name, text.status, TEXT.review.count, text.instead], ',')}\n`,
    ...others.map(
      ({ name, status, records, candidates }) =>
        `${csvLine([defused(name), text.states[status], String(records), defused(candidates.join(' '))], ',')}\n`,
    ),
  ].join('');
