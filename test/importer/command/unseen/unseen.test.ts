/** Files that nobody built for, imported by their suggestions; doubts are left to a person. A sixth of them in `npm test`. Costs seconds. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSourceFile } from '../../../../bin/importer/command/files/records.ts';
import { confirmSuggestions, mappingOf, openQuestions } from '../../../../bin/importer/engine/kinds/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/kinds/find.ts';
import { platformOf } from '../../../../bin/importer/engine/match/platform.ts';
import { leftOutRows } from '../../../../bin/importer/engine/run/survey.ts';
import { someOf } from '../../../kit/at-length.ts';
import { fileOf } from '../support/files.ts';
import { createPlatform, importFiles } from '../support/platform.ts';
import { CONTAINERS } from './containers.ts';
import { shortName, type Unseen } from './people.ts';

const TEXT = readFileSync(join(import.meta.dirname, 'tables.txt'), 'utf8');
const TABLES = [...TEXT.matchAll(/^=== (.*)\n([\s\S]*?)^--> (.*)$/gm)].map(
  ([, name = '', bytes = '', expected = '']): Unseen => ({ name, bytes, ...JSON.parse(expected) }),
);
const UNSEEN: readonly Unseen[] = [...TABLES, ...CONTAINERS];

const stateOf = (state: object): string => {
  const { pct, completed, certified }: { pct?: number; completed?: string; certified?: string } = state;
  return [pct, completed, certified && `C${certified}`].filter((each) => each !== undefined).join(' ');
};

const found = async (path: string, platform: Awaited<ReturnType<typeof createPlatform>>) =>
  confirmSuggestions(
    await findKinds([await openSourceFile(path)], {
      platform: await platformOf(platform.client),
    }),
  );

async function read(each: Unseen) {
  const path = fileOf(Buffer.from(each.bytes as string), each.file);
  const platform = await createPlatform();
  const findings = await found(path, platform);
  const mapping = mappingOf(findings);
  const open = openQuestions(findings).flatMap(({ about, text }) => (about === 'kind' ? [text] : []));
  const facts = {
    undecided: mapping.undecided ?? [],
    sheetsLeft: findings.sheets.flatMap(({ name, isImported }) => (isImported ? [] : [name])),
    encoding: findings.encoding,
  };
  const nothing = { ...facts, open, end: {}, rejected: 0, leftOut: 0 };
  if (mapping.undecided !== undefined) return nothing;
  writeFileSync(path.replace(/\.[^.]*$/, '.mapping.json'), JSON.stringify(mapping));
  const { endState, survey, real } = await importFiles(platform, [path]);
  const end = Object.fromEntries(Object.entries(endState).map(([name, state]) => [shortName(name), stateOf(state)]));
  return { ...nothing, end, rejected: real.summary.rejected, leftOut: leftOutRows(survey) };
}

it('each table of tables.txt is read', () => {
  expect(TABLES).toHaveLength(TEXT.match(/^=== /gm)?.length ?? 0);
});

describe('unseen files', () => {
  it.each(
    someOf(
      UNSEEN.filter(({ refused }) => refused === undefined),
      6,
    ),
  )('$name', async (each) => {
    const { end, rejected = 0, leftOut = 0, undecided = [], sheetsLeft = [], open = [] } = each;
    const { open: found, encoding, ...told } = await read(each);
    const missing = open.filter((text) => !found.some((shown) => shown.includes(text)));
    expect({ ...told, missing, encoding }).toEqual({
      end,
      rejected,
      leftOut,
      undecided,
      sheetsLeft,
      missing: [],
      encoding: each.encoding ?? encoding,
    });
  });

  it.each(UNSEEN.flatMap(({ refused, ...each }) => (refused === undefined ? [] : [{ ...each, refused }])))(
    'refused: $name',
    async (each) => {
      await expect(read(each)).rejects.toThrow(new RegExp(each.refused, 'i'));
    },
  );
});
