/** People whom the platform does not know, or who are not active: another address, left out, or a list for the platform. */
import { useState } from 'preact/hooks';
import { shown } from '../../engine/ground/text.ts';
import { csvLine, defused } from '../../engine/read/csv.ts';
import { call, current, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import type { PeopleChoices } from '../worker/files.ts';
import type { CauseGroup, Placed } from './cause-groups.ts';
import { Button, download, Input } from './controls.tsx';
import { Table } from './table.tsx';

const text = TEXT.rejected;

interface Suggestion {
  readonly name: string;
  readonly email: string;
}

/** Undecided people of a group who have exactly one likely address. */
export function useSuggestions(group: CauseGroup | undefined): readonly Suggestion[] {
  const { suggested, addresses } = useStore();
  if (group?.what !== 'unknown' && group?.what !== 'inactive') return [];
  return group.causes.flatMap(({ value: name }) => {
    const [email, ...others] = suggested[name.toLowerCase()] ?? [];
    const isOpen = !Object.hasOwn(addresses, name);
    return email !== undefined && others.length === 0 && isOpen ? [{ name, email }] : [];
  });
}

function decide(addresses: PeopleChoices): void {
  update({ addresses, isStale: true });
  void call('choosePeople', addresses);
}

const decideAll = (chosen: PeopleChoices): void => decide({ ...current().addresses, ...chosen });

export const suggestAll = (suggested: readonly Suggestion[]): void =>
  decideAll(Object.fromEntries(suggested.map(({ name, email }) => [name, email])));

function choose(name: string, email: string | null): void {
  const { [name]: _, ...others } = current().addresses;
  decide(email?.trim() === '' ? others : { ...others, [name]: email?.trim() ?? null });
}

interface Props {
  readonly group: CauseGroup;
  readonly canMatch: boolean;
}

export function PeoplePanel({ group, canMatch }: Props) {
  const { addresses } = useStore();
  const [isCopied, setCopied] = useState(false);
  const { causes } = group;
  const leaveAll = (): void => decideAll(Object.fromEntries(causes.map(({ value }) => [value, null])));
  return (
    <>
      <Table
        caption={text.match}
        head={[text.person, text.courses, TEXT.review.count, canMatch ? text.instead : TEXT.review.leaveOut]}
        rows={causes}
        cells={(cause) => [
          cause.value,
          cause.courses.join(', '),
          cause.rows,
          {
            text: addresses[cause.value] ?? '',
            node: () => <Decision name={cause.value} canMatch={canMatch} />,
          },
        ]}
      />
      <div class="actions">
        <Button text={text.leaveAll} onClick={leaveAll} />
        <Button text={text.copy} onClick={() => void copyForPlatform(group).then(() => setCopied(true))} />
        <Button text={text.list} onClick={() => download('people.csv', listOf(group), 'text/csv')} />
      </div>
      <p class="hint" role="status">
        {isCopied && text.copied}
      </p>
    </>
  );
}

/** The address to use in place of the one in the file, typed or suggested; or none, and the rows are left out. */
function Decision({ name, canMatch }: { readonly name: string; readonly canMatch: boolean }) {
  const { addresses, suggested } = useStore();
  const candidates = suggested[name.toLowerCase()] ?? [];
  const list = `for ${name}`;
  if (addresses[name] === null)
    return (
      <>
        {TEXT.review.states.leave_out}{' '}
        <Button
          text={TEXT.change}
          label={`${TEXT.change}: ${shown(name)}`}
          kind="plain"
          onClick={() => choose(name, '')}
        />
      </>
    );
  const { leaveOut } = TEXT.review;
  return (
    <span class="either">
      {canMatch && (
        <Input
          type="email"
          aria-label={text.choiceOf(shown(name))}
          value={addresses[name] ?? ''}
          placeholder={candidates[0]}
          list={candidates.length === 0 ? undefined : list}
          onInput={(email) => choose(name, email)}
          onEnter={() => {}}
        />
      )}
      {candidates.length > 0 && (
        <datalist id={list}>
          {candidates.map((email) => (
            <option value={email} />
          ))}
        </datalist>
      )}
      <Button text={leaveOut} label={`${leaveOut}: ${shown(name)}`} kind="plain" onClick={() => choose(name, null)} />
    </span>
  );
}

const stateOf = ({ code }: Placed) => (code === 'user_inactive' ? 'inactive' : 'unknown');

/** For a table of a spreadsheet. Excel reads accents wrong without a byte-order mark. */
function listOf({ causes }: CauseGroup): string {
  const lines = [
    [text.person, text.status, text.courses, TEXT.review.count],
    ...causes.map((cause) => [cause.value, text.states[stateOf(cause)], cause.courses.join('; '), String(cause.rows)]),
  ];
  return `\u{feff}${lines.map((cells) => `${csvLine(cells.map(defused), ',')}\n`).join('')}`;
}

/** A message that a person sends to those who run the platform. */
function copyForPlatform({ what, causes }: CauseGroup): Promise<void> {
  const ask = text.askPlatform[what === 'inactive' ? 'inactive' : 'unknown'];
  const lines = causes.map(({ value, courses }) => `- ${shown(value)}: ${courses.map(shown).join(', ')}`);
  const message = [ask, ...lines].join('\n');
  // A browser may refuse it.
  return navigator.clipboard.writeText(message).catch(() => download('people.txt', message));
}
