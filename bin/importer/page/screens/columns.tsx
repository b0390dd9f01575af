import { useEffect } from 'preact/hooks';
import type { Mapping } from '../../engine/mapping/schema.ts';
import { shown } from '../../engine/text.ts';
import { download } from '../parts/download.ts';
import { Select } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, Problem, StepForm, useTask } from '../parts/task.tsx';
import { changedMapping, Dates, type Mapped, openWords, Words } from '../parts/values.tsx';
import { go } from '../state/address.ts';
import { type State, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import type { ColumnValues } from '../worker/columns.ts';
import { fieldOf } from '../worker/edit-mapping.ts';

const text = TEXT.columns;

export function ColumnsScreen() {
  const state = useStore();
  const { opened, mapping, columns, confirmed, meters } = state;
  const task = useTask();
  const isPlain = opened?.isPlain === true;
  useEffect(() => {
    if (columns === undefined && !isPlain) task.run(load);
  }, [opened]);
  const goOn = (): void => {
    const open = openWords(columns ?? [], mapping);
    const isConfirmed = (mapping?.undecided ?? []).every((guess) => confirmed.includes(guess));
    if (open.length > 0) task.fail(text.wordsFirst(open));
    else if (!isConfirmed) task.fail(text.confirmFirst);
    else if (isPlain) go('courses');
    else if (mapping !== undefined)
      task.run(async () => {
        update({ mapping: await call('confirmGuesses') });
        go('courses');
      });
  };
  return (
    <StepForm task={task} onSubmit={goOn}>
      <p>{isPlain ? text.plain : text.intro}</p>
      {task.isBusy && <Busy text={(meters.read ?? 0) === 0 ? undefined : TEXT.check.reading(meters.read ?? 0)} />}
      {columns !== undefined && mapping !== undefined && (
        <>
          <ColumnTable columns={columns} mapping={mapping} />
          <Words columns={columns} mapping={mapping} />
          <Dates columns={columns} mapping={mapping} />
          <Guesses state={state} />
          <p>
            <button type="button" class="plain" onClick={() => saveMapping(state)}>
              {text.download}
            </button>
          </p>
        </>
      )}
    </StepForm>
  );
}

async function load(): Promise<void> {
  update({ meters: {} });
  const drafted = await call('draft');
  const { columns } = await call('columnValues');
  update({ mapping: drafted.mapping, doubts: drafted.doubts, columns });
}

/** Saves the mapping file that `init-mapping` would write. */
export function saveMapping({ mapping, files }: State): void {
  const name = (files[0]?.name ?? 'history').replace(/\.[^.]*$/, '');
  download(`${name}.mapping.json`, `${JSON.stringify(mapping, undefined, 2)}\n`, 'application/json');
}

function ColumnTable({ columns, mapping }: Mapped) {
  return (
    <section class="card">
      <Table
        caption={text.intro}
        head={[text.column, text.becomes, text.values, text.rows]}
        rows={columns}
        cells={(column) => [
          nameOf(column),
          { node: () => <Becomes column={column} mapping={mapping} /> },
          column.samples.join(' · '),
          column.filled,
        ]}
      />
    </section>
  );
}

const nameOf = ({ name, reference }: ColumnValues): string => (name === '' ? reference : name);

/** The member that a column gives. */
function Becomes({ column, mapping }: { readonly column: ColumnValues; readonly mapping: Mapping }) {
  const task = useTask();
  const field = fieldOf(mapping, column.reference) ?? '';
  const assign = (next: string): void => task.run(async () => changedMapping(await call('assignColumn', column, next)));
  const choices = Object.entries(TEXT.fields).filter(([name]) => name !== 'progress.classes' || name === field);
  return (
    <>
      <Select
        label={text.meaningOf(shown(nameOf(column)))}
        value={field}
        options={[['', text.notUsed], ...choices]}
        onChange={assign}
      />
      <Problem task={task} />
    </>
  );
}

/** The guesses of the mapping, which a person confirms one by one; and what else is good to know. */
function Guesses({ state: { doubts, mapping, confirmed } }: { readonly state: State }) {
  const guesses: readonly string[] = mapping?.undecided ?? [];
  const confirm = (guess: string, isRight: boolean): void =>
    update({ confirmed: isRight ? [...confirmed, guess] : confirmed.filter((each) => each !== guess) });
  return (
    <>
      {guesses.length > 0 && (
        <fieldset class="notice warning">
          <legend class="notice-title">{text.guesses}</legend>
          {guesses.map((guess) => (
            <label class="check">
              <input
                type="checkbox"
                checked={confirmed.includes(guess)}
                onChange={(event) => confirm(guess, event.currentTarget.checked)}
              />
              <span>{shown(guess)}</span>
            </label>
          ))}
        </fieldset>
      )}
      {doubts.length > 0 && <Notice kind="note" title={text.doubts} points={doubts} />}
    </>
  );
}
