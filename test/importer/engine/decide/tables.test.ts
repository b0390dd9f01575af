/** What is found of the small tables of tables.txt. In memory; costs milliseconds. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import type { Choices } from '../../../../bin/importer/engine/language/findings.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';
import { tablesIn } from '../../command/support/tables.ts';

/** Members of the findings, and some in other words. */
interface Expected {
  readonly choices?: Choices;
  /** Titles of the platform; without them nobody is logged in. */
  readonly courses?: readonly string[];
  /** The names of the columns on which kinds depend, sorted. */
  readonly read?: readonly string[];
  readonly last?: object;
}

const NOW = Date.parse('2026-11-27');

it.each(tablesIn<Expected>(join(import.meta.dirname, 'tables.txt')))('$name', async ({ file, bytes, expected }) => {
  const { courses, choices = {}, file: _, ...members } = expected;
  const source = await openSource(new File([new Uint8Array(bytes)], file), { now: NOW });
  const platform = courses && {
    courseOf: (text: string) => (courses.includes(text) ? courses.indexOf(text) + 1 : undefined),
    knownLearners: async (texts: readonly string[]) => new Set(texts.filter((text) => text.includes('@'))),
  };
  const findings = await findKinds([source], { choices, ...(platform && { platform }) });
  const read = Object.keys(findings.columns).toSorted();
  expect({ ...findings, read, last: findings.kinds.at(-1) }).toMatchObject(members);
});
