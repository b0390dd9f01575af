import type { ClassView, Contribution, Instant } from '../domain/model.ts';
import { packInstant, unpackInstant } from './packed-instant.ts';

/** Viewed when the record was imported, because nobody sent a date. */
const DEFAULTED = '*';

type Classes = Pick<Contribution, 'classes' | 'defaulted_classes'>;

/**
 * Class views as one readable text, `1001@20240102T030405Z 1002* 1003`: id and `viewed_at`; a `viewed_at` that
 * defaulted to the import's date; none.
 */
export function packClasses({ classes, defaulted_classes }: Classes, importedAt: Instant): string {
  const defaulted = new Set(defaulted_classes);
  return classes
    .map(({ platform_class_id: id, viewed_at }) => {
      if (viewed_at === null) return `${id}`;
      return viewed_at === importedAt && defaulted.has(id) ? `${id}${DEFAULTED}` : `${id}@${packInstant(viewed_at)}`;
    })
    .join(' ');
}

export function unpackClasses(packed: string, importedAt: Instant): Classes {
  const classes = packed === '' ? [] : packed.split(' ').map((view) => unpackView(view, importedAt));
  const defaulted_classes = packed
    .split(' ')
    .filter((view) => view.endsWith(DEFAULTED))
    .map((view) => Number(view.slice(0, -1)));
  return { classes, defaulted_classes };
}

function unpackView(view: string, importedAt: Instant): ClassView {
  if (view.endsWith(DEFAULTED)) return { platform_class_id: Number(view.slice(0, -1)), viewed_at: importedAt };
  const [id, viewedAt] = view.split('@');
  return { platform_class_id: Number(id), viewed_at: viewedAt === undefined ? null : unpackInstant(viewedAt) };
}
