/** Lists page by page. Costs milliseconds; polls are in client.test.ts. */
import { expect, it } from 'vitest';
import { pages } from '../../../bin/importer/client/polling.ts';

it('a list is read page by page, each from the cursor of the one before', async () => {
  const asked: unknown[] = [];
  const read = async (query: object) => {
    const count = asked.push(query);
    return { courses: [count], next_cursor: count < 3 ? `c${count}` : null };
  };
  const found: number[] = [];
  for await (const each of pages('courses', read)) found.push(each);
  expect([found, asked]).toEqual([
    [1, 2, 3],
    [{}, { cursor: 'c1' }, { cursor: 'c2' }],
  ]);
});
