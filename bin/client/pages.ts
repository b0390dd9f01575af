/** Every item of a paged list. */
export async function* pages<Page extends { next_cursor: string | null }, Item>(
  read: (query: { cursor?: string }) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const page: Page = await read(cursor === null ? {} : { cursor });
    yield* itemsOf(page);
    cursor = page.next_cursor;
  } while (cursor !== null);
}
