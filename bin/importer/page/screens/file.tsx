import { useState } from 'preact/hooks';
import { grouped } from '../../engine/text.ts';
import { Field, Select } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, Problem, StepForm, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { NO_FINDINGS, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import type { OpenedFile, ReadingOptions } from '../worker/files.ts';

const KINDS = '.csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl';

export function FileScreen() {
  const { files, reading, opened } = useStore();
  const task = useTask();
  const open = (chosen: readonly File[], options: ReadingOptions): void =>
    task.run(async () => {
      update({ ...NO_FINDINGS, files: chosen, reading: options });
      const found = await call('openFiles', chosen, options);
      update({ opened: found, announcement: `${TEXT.file.found}: ${found.files.map(({ name }) => name).join(', ')}` });
    });
  const choose = (chosen: FileList | null | undefined): void => {
    if (chosen !== null && chosen !== undefined && chosen.length > 0) open([...chosen], {});
  };
  const goOn = (): void => {
    if (opened === undefined) task.fail(TEXT.file.needed);
    else go('columns');
  };
  return (
    <StepForm task={task} onSubmit={goOn}>
      <p>{TEXT.file.intro}</p>
      <DropArea onFiles={choose} />
      <p class="private">{TEXT.file.private}</p>
      {task.isBusy && <Busy text={TEXT.file.reading} />}
      {opened?.canResume === true && (
        <Notice kind="note">
          <p>{TEXT.file.resume}</p>
          <button type="button" onClick={() => go('import')}>
            {TEXT.file.resumeAction}
          </button>
        </Notice>
      )}
      {opened?.files.map((file) => (
        <Found file={file} reading={reading} onChange={(options) => open(files, options)} />
      ))}
      {opened !== undefined && !opened.isPlain && <MappingInput />}
    </StepForm>
  );
}

function DropArea({ onFiles }: { readonly onFiles: (files: FileList | null | undefined) => void }) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  const drop = (event: DragEvent): void => {
    over(event);
    onFiles(event.dataTransfer?.files);
  };
  return (
    <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={over} onDrop={drop}>
      <Field label={TEXT.file.label}>
        <input
          type="file"
          name="files"
          multiple
          accept={KINDS}
          onChange={(event) => onFiles(event.currentTarget.files)}
        />
      </Field>
      <p class="hint">{TEXT.file.drop}</p>
    </div>
  );
}

interface FoundProps {
  readonly file: OpenedFile;
  readonly reading: ReadingOptions;
  readonly onChange: (options: ReadingOptions) => void;
}

/** How the file is read, which can be changed, and its first rows. */
function Found({ file, reading, onChange }: FoundProps) {
  const text = TEXT.file;
  const isSheet = file.sheet !== undefined;
  const isTable = file.format === 'csv';
  return (
    <section class="card" aria-label={file.name}>
      <h2>{file.name}</h2>
      <p class="hint">{`${grouped(Math.ceil(file.size / 1024))} KB, ${isSheet ? 'xlsx' : file.format}`}</p>
      <div class="grid">
        {isSheet && (
          <Field label={text.sheet}>
            <Select
              value={file.sheet}
              options={file.sheets.map((name) => [name, name])}
              onChange={(sheet) => onChange({ ...reading, sheet })}
            />
          </Field>
        )}
        {isTable && (
          <Field label={text.header}>
            <input
              type="number"
              min={1}
              max={60}
              value={file.headerLine}
              onChange={({ currentTarget: { value } }) => onChange({ ...reading, headerLine: Number(value) })}
            />
          </Field>
        )}
        {!isSheet && (
          <Field label={text.encoding}>
            <Select
              value={file.encoding}
              options={['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'].map((name) => [name, name])}
              onChange={(encoding) => onChange({ ...reading, encoding })}
            />
          </Field>
        )}
        {isTable && !isSheet && (
          <Field label={text.separator}>
            <Select
              value={file.delimiter}
              options={Object.entries(text.separators)}
              onChange={(delimiter) => onChange({ ...reading, delimiter })}
            />
          </Field>
        )}
      </div>
      <Table
        caption={text.rows(file.name)}
        hasRowNames={false}
        head={file.columns}
        rows={file.rows}
        cells={(row) => row}
      />
    </section>
  );
}

function MappingInput() {
  const { mappingName } = useStore();
  const task = useTask();
  const open = (file: File | undefined): void =>
    task.run(async () => {
      if (file === undefined) return;
      const mapping = await call('openMapping', await file.text(), file.name);
      update({ mapping, mappingName: file.name, doubts: [], confirmed: [] });
    });
  return (
    <section class="card">
      <Field label={TEXT.file.mapping}>
        <input type="file" accept=".json" onChange={(event) => open(event.currentTarget.files?.[0])} />
      </Field>
      <p class="hint">{mappingName === undefined ? TEXT.file.mappingHint : TEXT.file.mappingUsed(mappingName)}</p>
      <Problem task={task} />
    </section>
  );
}
