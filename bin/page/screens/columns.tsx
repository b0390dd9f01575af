import { useEffect } from 'preact/hooks';
import { isObject } from '../../importer/mapping/fields.ts';
import type { Mapping } from '../../importer/mapping/schema.ts';
import { shown } from '../../importer/text.ts';
import { download } from '../parts/download.ts';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, Problem, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { type State, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import type { ColumnValues } from '../worker/columns.ts';

const text = TEXT.columns;

export function ColumnsScreen() {
  const state = useStore();
  const { opened, mapping, columns, doubts, areDoubtsConfirmed } = state;
  const task = useTask();
  const isPlain = opened?.isPlain === true;
  useEffect(() => {
    if (columns === undefined && !isPlain) task.run(load);
  }, [opened]);
  const goOn = (event: Event): void => {
    event.preventDefault();
    if (doubts.length > 0 && !areDoubtsConfirmed) task.fail(text.confirmFirst);
    else if (isPlain || mapping !== undefined) go('courses');
  };
  return (
    <form onSubmit={goOn}>
      <p>{isPlain ? text.plain : text.intro}</p>
      {task.isBusy && <Busy />}
      {columns !== undefined && mapping !== undefined && (
        <>
          <ColumnTable columns={columns} mapping={mapping} />
          <Doubts state={state} />
          <p>
            <button type="button" class="plain" onClick={() => saveMapping(state)}>
              {text.download}
            </button>
          </p>
        </>
      )}
      <Problem task={task} />
      <div class="actions">
        <button type="submit" class="main" disabled={task.isBusy}>
          {TEXT.continue}
        </button>
      </div>
    </form>
  );
}

async function load(): Promise<void> {
  const drafted = await call('draft');
  const columns = await call('columnValues');
  update({ mapping: drafted.mapping, doubts: drafted.doubts, columns });
}

/** As `init-mapping` writes it. */
export function saveMapping({ mapping, files }: State): void {
  const name = (files[0]?.name ?? 'history').replace(/\.[^.]*$/, '');
  download(`${name}.mapping.json`, `${JSON.stringify(mapping, undefined, 2)}\n`, 'application/json');
}

function ColumnTable({ columns, mapping }: { readonly columns: readonly ColumnValues[]; readonly mapping: Mapping }) {
  return (
    <Table
      caption={text.intro}
      hidesCaption
      hasRowNames
      head={[text.column, text.values, text.filled(2).replace(/^\S+ /, ''), text.becomes]}
      rows={columns.map(({ name, reference, samples, filled }) => [
        name === '' ? reference : name,
        samples.join(' · '),
        filled,
        fieldsOf(mapping, reference).join(', ') || text.notUsed,
      ])}
    />
  );
}

/** The members of the record that a column gives. */
function fieldsOf(mapping: Mapping, reference: string): string[] {
  return Object.entries(mapping.record).flatMap(([field, given]) =>
    columnsIn(given).includes(reference) ? [TEXT.fields[field] ?? field] : [],
  );
}

function columnsIn(given: unknown): string[] {
  if (typeof given === 'string') return [given];
  if (Array.isArray(given)) return given.flatMap(columnsIn);
  if (!isObject(given)) return [];
  const { column, template } = given;
  const inTemplate =
    typeof template === 'string' ? [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name) : [];
  return [...(typeof column === 'string' ? [column] : []), ...inTemplate];
}

function Doubts({ state: { doubts, areDoubtsConfirmed } }: { readonly state: State }) {
  if (doubts.length === 0) return null;
  return (
    <Notice kind="warning" title={text.doubts}>
      <ul>
        {doubts.map((doubt) => (
          <li>{shown(doubt)}</li>
        ))}
      </ul>
      <label class="check">
        <input
          type="checkbox"
          checked={areDoubtsConfirmed}
          onChange={(event) => update({ areDoubtsConfirmed: event.currentTarget.checked })}
        />
        <span>{text.confirm}</span>
      </label>
    </Notice>
  );
}
