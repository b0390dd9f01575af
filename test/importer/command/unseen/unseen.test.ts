/** Files that nobody built for, imported by their suggestions; doubts are left to a person. A sixth of them in `npm test`. Costs seconds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inWords, saidInWords } from '../../../../bin/importer/command/advice.ts';
import { openSourceFile } from '../../../../bin/importer/command/files/records.ts';
import { shownValues } from '../../../../bin/importer/texts/en-kinds.ts';
import { confirmSuggestions, mappingOf, openQuestions } from '../../../../bin/importer/engine/decide/confirm.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import type { Kind } from '../../../../bin/importer/engine/language/findings.ts';
import { platformOf } from '../../../../bin/importer/engine/match/platform.ts';
import { leftOutRows } from '../../../../bin/importer/engine/run/survey.ts';
import { someOf } from '../../../kit/at-length.ts';
import { fileOf } from '../support/files.ts';
import { createPlatform, importFiles } from '../support/platform.ts';
import { archiveOf } from '../support/workbook.ts';
import { type Table, tablesIn } from '../support/tables.ts';

/** What the suggestions alone store, and what they leave to a person. */
interface Expected {
  /** Progress afterwards: `ben 101`: `100 2024-01-02 C2024-01-02` is completed and certified on that day. */
  readonly end: Readonly<Record<string, string>>;
  readonly rejected?: number;
  readonly leftOut?: number;
  /** What about the whole file a person has to decide. */
  readonly undecided?: readonly string[];
  /** The texts of kinds without a suggestion contain these. */
  readonly open?: readonly string[];
  readonly sheetsLeft?: readonly string[];
  /** A sentence. */
  readonly refused?: string;
}
type Unseen = Table<Expected>;

const CASES = `\u{feff}Email|Course|Comment|Status|Completed on\r
BEN.CASTILLO@ACME.TEST|Information Security Essentials|"said ""fine"", \r
then left"|COMPLETED |2024-01-22\r
Chiara.Romano@Acme.Test|"Data Protection in Practice"|"a|b"|Completed|2024-01-23\r
`;
const refused = (file: string, bytes: Buffer, sentence: string): Unseen => ({
  name: file,
  file,
  bytes,
  expected: { end: {}, refused: sentence },
});
const UNSEEN: readonly Unseen[] = [
  ...tablesIn<Expected>(join(import.meta.dirname, 'tables.txt')),
  {
    name: 'bars, quotes and line breaks in cells, a byte-order mark, addresses of any case',
    file: 'history.csv',
    bytes: Buffer.from(CASES),
    expected: { end: { 'ben 101': '100 2024-01-22', 'chi 102': '100 2024-01-23' } },
  },
  refused(
    'a.ods',
    archiveOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
    'OpenDocument.*Save it as \\.xlsx or CSV',
  ),
  refused('a.zip', archiveOf({ 'history.csv': 'a,b' }), 'archive.*history\\.csv.*Unpack it'),
  refused('a.csv.gz', gzipSync('a,b'), 'compressed.*Unpack it'),
  refused('a.pdf', Buffer.from('%PDF-1.7\n%\u{e2}\u{e3}'), 'PDF.*export'),
];

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

const reasonOf = ({ reason }: Kind): string => (reason === null ? '' : saidInWords(reason));

async function read(each: Unseen) {
  const path = fileOf(each.bytes, each.file);
  const platform = await createPlatform();
  const findings = await found(path, platform);
  const mapping = mappingOf(findings);
  const open = openQuestions(findings).flatMap((question) =>
    question.about === 'kind' ? `${shownValues(question.kind.values)} (${reasonOf(question.kind)})` : [],
  );
  const facts = {
    undecided: mapping.undecided ?? [],
    sheetsLeft: findings.sheets.flatMap(({ name, isImported }) => (isImported ? [] : [name])),
    encoding: findings.encoding,
  };
  const nothing = { ...facts, open, end: {}, rejected: 0, leftOut: 0 };
  if (mapping.undecided !== undefined) return nothing;
  writeFileSync(path.replace(/\.[^.]*$/, '.mapping.json'), JSON.stringify(mapping));
  const { endState, survey, real } = await importFiles(platform, [path]);
  const short = (name: string): string => name.replace(/^(...)\S*/, '$1');
  const end = Object.fromEntries(Object.entries(endState).map(([name, state]) => [short(name), stateOf(state)]));
  return { ...nothing, end, rejected: real.summary.rejected, leftOut: leftOutRows(survey) };
}

describe('unseen files', () => {
  it.each(
    someOf(
      UNSEEN.filter(({ expected }) => expected.refused === undefined),
      6,
    ),
  )('$name', async (each) => {
    const { end, rejected = 0, leftOut = 0, undecided = [], sheetsLeft = [], open = [], ...told } = each.expected;
    const { open: found, encoding, ...facts } = await read(each);
    const missing = open.filter((text) => !found.some((shown) => shown.includes(text)));
    expect({ ...facts, missing, encoding }).toEqual({
      end,
      rejected,
      leftOut,
      undecided,
      sheetsLeft,
      missing: [],
      encoding: told.encoding ?? encoding,
    });
  });

  it.each(UNSEEN.filter(({ expected }) => expected.refused !== undefined))('refused: $name', async (each) => {
    expect(await read(each).catch(inWords)).toMatch(new RegExp(String(each.expected.refused), 'i'));
  });
});
