import { ownValue } from '../../engine/ground/own-value.ts';
import { Button, Card, Chips, DropArea, Field } from '../parts/controls.tsx';
import { EarlierDraft, WantedDraft, whoOf } from '../parts/draft.tsx';
import { NumberInput, type Option, Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, Doing, StepForm, useTask } from '../parts/task.tsx';
import { openDraft, openFiles, startReview } from '../state/migration.ts';
import { call, current, update, useStore } from '../state/store.ts';
import { columnName, dayOf, TEXT } from '../texts/index.ts';
import type { ShownDraft } from '../worker/draft.ts';
import type { Opened, ReadingOptions } from '../worker/files.ts';

const text = TEXT.file;
const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'];
const KINDS = '.csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl';

export function FileScreen({ query }: { readonly query: URLSearchParams }) {
  const { files, reading, opened, meters } = useStore();
  const run = query.get('run');
  const isOpen = run === null || run === current().draft?.run_id;
  const opening = useTask(isOpen ? undefined : () => openDraft(run), run);
  const task = useTask();
  const open = (chosen: readonly File[], options: ReadingOptions): void =>
    task.run(async () => {
      await openFiles(chosen, options);
      update({ announcement: `${text.found}: ${chosen.map(({ name }) => name).join(', ')}` });
    });
  const goOn = (): void =>
    task.run(async () => {
      if (opened === undefined) throw new Error(TEXT.problems.needs_file());
      await startReview();
    });
  return (
    <StepForm task={task} onSubmit={goOn} open={opened?.isKnown === true ? text.plain : undefined}>
      <WantedDraft />
      <Doing task={opening} />
      <DropArea label={text.label} hint={text.drop} accept={KINDS} onFiles={(chosen) => open(chosen, {})} />
      <p class="hint">{text.private}</p>
      <Busy isBusy={task.isBusy} text={opened === undefined ? text.reading : TEXT.review.reading(meters.read ?? 0)} />
      <EarlierDraft task={task} />
      {opened?.files.map((file) => (
        <Found file={file} reading={reading} onChange={(options) => open(files, options)} />
      ))}
      {opened !== undefined && opened.foreign.length > 0 && (
        <section class="card">
          <h2>{TEXT.review.others}</h2>
          <Chips chips={opened.foreign.map(columnName)} />
        </section>
      )}
      {opened !== undefined && !opened.isKnown && <MappingInput />}
    </StepForm>
  );
}

type OpenedFile = Opened['files'][number];

interface FoundProps {
  readonly file: OpenedFile;
  readonly reading: ReadingOptions;
  readonly onChange: (options: ReadingOptions) => void;
}

function formOf({ format, sheet, delimiter, encoding, headerLine }: OpenedFile): string {
  if (format !== 'csv') return format.toUpperCase();
  const form =
    sheet === undefined
      ? text.csvForm(ownValue(text.separators, delimiter) ?? delimiter, encoding)
      : text.sheetForm(sheet);
  return form + (headerLine > 1 ? text.headerForm(headerLine) : '');
}

/** How the file is read, in a line that opens to be changed, and its first rows. */
function Found({ file, reading, onChange }: FoundProps) {
  const isSheet = file.sheet !== undefined;
  const isTable = file.format === 'csv';
  const choice = (name: 'sheet' | 'encoding' | 'separator', value: string, options: readonly Option[]) => (
    <Select
      label={text[name]}
      value={value}
      options={options}
      onDecide={(to) => onChange({ ...reading, [name === 'separator' ? 'delimiter' : name]: to })}
    />
  );
  return (
    <Card title={file.name}>
      <details class="fact">
        <summary>
          <span class="hint">{text.readAs(formOf(file), Math.ceil(file.size / 1024))}</span>
          <span class="change">{TEXT.change}</span>
        </summary>
        <div class="cards">
          {file.sheet !== undefined && choice('sheet', file.sheet, file.sheets.map(asOption))}
          {isTable && (
            <NumberInput
              label={text.header}
              min={1}
              max={60}
              value={String(file.headerLine)}
              onDecide={(line) => onChange({ ...reading, headerLine: Number(line) })}
            />
          )}
          {!isSheet && choice('encoding', file.encoding, [...new Set([...ENCODINGS, file.encoding])].map(asOption))}
          {isTable && !isSheet && choice('separator', file.delimiter, Object.entries(text.separators))}
        </div>
      </details>
      <Table caption={text.firstRows(file.name)} isPreview head={file.columns} rows={file.rows} cells={(row) => row} />
    </Card>
  );
}

const asOption = (name: string): Option => [name, name];

/** The choices of an earlier migration of a file of this form, or from a file. */
function MappingInput() {
  const { mappingName, opened, offers, wanted } = useStore();
  const answers = wanted === undefined || opened?.isOther === true ? offers?.answers : undefined;
  const task = useTask();
  const open = (file: File | undefined): void =>
    task.run(async () => {
      if (file === undefined) return;
      const mapping = await call('openMapping', await file.text(), file.name);
      update({ mapping, mappingName: file.name });
    });
  const take = ({ run_id, title }: ShownDraft): void =>
    task.run(async () => update({ mapping: await call('useAnswers', run_id), mappingName: title }));
  const drop = (): void =>
    task.run(async () => {
      await call('dropMapping');
      update({ mapping: undefined, mappingName: undefined });
    });
  return (
    <section class="card">
      {answers !== undefined && mappingName === undefined && (
        <div class="head">
          <p>{text.answersOf(answers.title, whoOf(answers), dayOf(answers.at))}</p>
          <Button text={text.useAnswers} onClick={() => take(answers)} />
        </div>
      )}
      {mappingName !== undefined && (
        <div class="head">
          <p>{text.mappingUsed(mappingName)}</p>
          <Button text={text.mappingDrop} kind="plain" onClick={drop} />
        </div>
      )}
      <Field label={text.mapping}>
        <input type="file" accept=".json" onChange={(event) => open(event.currentTarget.files?.[0])} />
      </Field>
      <p class="hint">{text.mappingHint}</p>
      <Doing task={task} text={null} />
    </section>
  );
}
