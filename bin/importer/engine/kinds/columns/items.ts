/** Items beside courses: an article or a test that is called like a course does not complete it. */
import type { ColumnProfile } from '../../mapping/table-profile.ts';
import items from '../../words/items.json' with { type: 'json' };
import { plainText } from '../../words/words.ts';
import { FEW_TEXTS } from './percentages.ts';

const HEADER = new RegExp(items.headers.join('|'));
const OTHER = new RegExp(`^(${items.others.join('|')})s?$`);

/** Of an address, like a type of xAPI, the last part counts. */
export const isOtherItem = (text: string): boolean => OTHER.test(plainText(text.split('/').at(-1) ?? ''));

/** The types of the rows, some of which are no courses. It matters where rows of several types name one course. */
export const namesItems = ({ plain, texts, values }: ColumnProfile): boolean =>
  HEADER.test(plain) &&
  texts.size > 1 &&
  texts.size <= FEW_TEXTS &&
  values.some(isOtherItem) &&
  !values.every(isOtherItem);
