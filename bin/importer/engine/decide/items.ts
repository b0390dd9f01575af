/** Items beside courses: an article or a test that is called like a course does not complete it. */
import type { ColumnProfile } from '../profile/table-profile.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { plainText } from '../lexicon/words.ts';
import { FEW_TEXTS } from './percentages.ts';

/** Of an address, like a type of xAPI, the last part counts. */
const typeIn = (text: string): string => plainText(text.split('/').at(-1) ?? '');

/** An assignment is a way to come to a course, unless the course is a type itself. */
export const isOtherItem = (text: string, { values }: ColumnProfile): boolean =>
  saysTopic(typeIn(text), 'other_item') ||
  (typeIn(text) === 'assignment' && values.some((each) => typeIn(each) === 'course'));

/** The column has types of items, and some are no courses. */
export const namesItems = (column: ColumnProfile): boolean =>
  column.topics.has('item_type') &&
  column.texts.size > 1 &&
  column.texts.size <= FEW_TEXTS &&
  column.values.some((text) => isOtherItem(text, column)) &&
  !column.values.every((text) => isOtherItem(text, column));
