import { useState } from 'preact/hooks';
import { shown } from '../../engine/ground/text.ts';
import type { CatalogCourse } from '../../engine/match/match.ts';
import { call, current, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import { Input } from './controls.tsx';

const text = TEXT.courses;
const LIST = 'catalog';

export const titleOf = ({ platform_course_id, title }: CatalogCourse): string =>
  `${platform_course_id} ${shown(title)}`;

/** They are read once. */
export async function loadTitles(): Promise<void> {
  if (current().catalog.length === 0) update({ catalog: await call('courseTitles') });
}

export function useTitles(): ReadonlyMap<number, string> {
  const { catalog } = useStore();
  return new Map(catalog.map(({ platform_course_id, title }) => [platform_course_id, title]));
}

/** The courses of the platform, once for all pickers of a screen. */
export function CatalogList() {
  const { catalog } = useStore();
  return (
    <datalist id={LIST}>
      {catalog.map((course) => (
        <option value={titleOf(course)} />
      ))}
    </datalist>
  );
}

interface Props {
  readonly label: string;
  readonly chosen: number | undefined;
  readonly onChoose: (course: number) => void;
}

/** A course of the platform, found by typing a part of its title or its number. */
export function CoursePicker({ label, chosen, onChoose }: Props) {
  const { catalog } = useStore();
  const course = catalog.find(({ platform_course_id }) => platform_course_id === chosen);
  const [isUnknown, setUnknown] = useState(false);
  const choose = (words: string): void => {
    const sought = words.trim().toLowerCase();
    const found = catalog.filter((each) => titleOf(each).toLowerCase().includes(sought));
    const exact = catalog.find(
      (each) => titleOf(each).toLowerCase() === sought || String(each.platform_course_id) === sought,
    );
    const only = exact ?? (found.length === 1 ? found[0] : undefined);
    setUnknown(only === undefined && sought !== '');
    if (only !== undefined) onChoose(only.platform_course_id);
  };
  return (
    <>
      <Input
        aria-label={label}
        aria-invalid={isUnknown}
        list={LIST}
        placeholder={text.search}
        value={course === undefined ? '' : titleOf(course)}
        onChange={choose}
      />
      {isUnknown && <span role="alert">{text.unknown}</span>}
    </>
  );
}
