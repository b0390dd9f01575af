/**
 * What verified evidence says of what holds, of each kind of change, and of what came later (§4.10). The second
 * implementation, in Python, reads the same cases. In memory; costs a second, and with AT_LENGTH minutes.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyEvidence } from '../../../../bin/importer/engine/evidence/verify.ts';
import { countsOfRun } from '../../../../functions/imports/run-counts.ts';
import { cases } from '../../../kit/at-length.ts';
import { localSigner } from '../../../kit/local-signer.ts';
import { changesOf } from './changes.ts';
import { hasPython, pythonVerdicts } from './python-verdicts.ts';
import { given, type SignedRun, signedRun } from './signed-run.ts';

const signer = localSigner();
let run: SignedRun;
beforeAll(async () => {
  run = await signedRun(signer);
});

/** What does not hold, as `check` or `check import_id`; and the codes of all findings. */
async function verified(changed: Partial<Record<keyof SignedRun, unknown>>) {
  const merged = { ...run, imports: undefined, lines: undefined, ...changed };
  const { evidence, keys, imports, lines } = merged as SignedRun & { readonly lines?: readonly string[] };
  const results = lines === undefined ? undefined : given(lines);
  const { findings, holds } = await verifyEvidence({ evidence, keys, imports, results });
  const wrong = findings.filter(({ status }) => status === 'differs' || status === 'changed');
  return {
    holds,
    wrong: [
      ...new Set(wrong.map(({ check, import_id }) => (import_id === undefined ? check : `${check} ${import_id}`))),
    ].toSorted(),
    codes: findings.map(({ said }) => said.code),
    places: wrong.map(({ said: { params } }) => ('place' in params ? params.place : undefined)),
  };
}

describe('evidence that holds', () => {
  it('says what was checked, and what was not', async () => {
    const list = ['evidence_signed', 'evidence_imports_hold', 'evidence_counts_hold'];
    expect((await verified({ ...run })).codes).toEqual([...list, 'evidence_results_hold', 'evidence_records_hold']);
    const bare = run.lines.map((line) => JSON.stringify({ ...JSON.parse(line), record: undefined }));
    const withoutRecords = await verified({ imports: run.imports, lines: bare });
    expect(withoutRecords.codes).toEqual([...list, 'evidence_results_hold', 'evidence_no_records']);
    expect((await verified({ imports: run.imports })).codes).toEqual([...list, 'evidence_no_results']);
    expect(await verified({})).toMatchObject({ holds: true, codes: ['evidence_signed', 'evidence_no_list'] });
  });

  it('members may be spelt in any order, and lines may have blanks', async () => {
    const reversed = (value: object) => Object.fromEntries(Object.entries(value).toReversed());
    const lines = run.lines.map((line) =>
      JSON.stringify(reversed(JSON.parse(line)), undefined, 1).replaceAll('\n', ' '),
    );
    expect(
      (await verified({ imports: run.imports.map((entry) => reversed(entry) as typeof entry), lines })).holds,
    ).toBe(true);
  });
});

it('evidence of an earlier version, and of a machine that signed, holds in both implementations', async () => {
  for (const payload of [{ plans: undefined }, { signed_by: { client_id: 'nightly', name: 'Nightly import' } }]) {
    const changed = await signedRun(signer, { payload });
    expect(await verified({ ...changed })).toMatchObject({ holds: true, wrong: [] });
    expect(hasPython ? pythonVerdicts([changed]) : [[]]).toEqual([[]]);
  }
});

it.each([
  ['a digest that is none', { plan_digest: 'A1' }],
  ['no word of who applied it', { applied_by: undefined }],
  ['a comment that is no text', { comment: 7 }],
])('evidence whose plan has %s is refused by both implementations', async (_, wrong) => {
  const plan = { plan_digest: '0'.repeat(64), created_by: 1, approved_by: null, approved_at: null, comment: null };
  const plans = [{ ...plan, applied_by: 1, applied_at: '2026-03-01T10:00:00.000Z', ...wrong }];
  const changed = await signedRun(signer, { payload: { plans } });
  expect(await verified({ ...changed })).toMatchObject({ holds: false, codes: ['evidence_malformed'] });
  expect(hasPython ? pythonVerdicts([changed]) : [['signature']]).toEqual([['signature']]);
});

describe('evidence that does not hold', () => {
  const withKey = (change: (key: Readonly<Record<string, unknown>>) => object) => () => ({
    keys: run.keys.map((key) => ({ ...key, ...change(key) })),
  });
  const withImports = (change: (imports: SignedRun['imports']) => readonly unknown[]) => () => ({
    imports: change(run.imports) as SignedRun['imports'],
  });
  const withLines = (change: (lines: readonly string[]) => readonly string[]) => () => ({
    imports: run.imports,
    lines: change(run.lines),
  });
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  /** The same bytes in base64url, with another bit in the last character, which no byte has. */
  const otherSpelling = (text: unknown): string =>
    String(text).replace(/.$/, (last) => ALPHABET[ALPHABET.indexOf(last) ^ 1] ?? '');
  const failing = (entry: object | undefined) => ({ ...entry, counts: { ...run.imports[0]?.counts, failed: 9 } });
  const bare = (line: string | undefined) => JSON.stringify({ ...JSON.parse(line ?? ''), record: undefined });

  it.each<[string, () => Partial<SignedRun>, string]>([
    ['the key of somebody else', withKey(({ x, y }) => ({ x: y, y: x })), 'evidence_key_misnamed'],
    ['another spelling of the key', withKey(({ x }) => ({ x: otherSpelling(x) })), 'evidence_key_misnamed'],
    ['no key of that id', withKey(() => ({ kid: 'other' })), 'evidence_unknown_key'],
    ['no signature', () => ({ evidence: run.evidence.replace(/\.[^.]+$/, '.') }), 'evidence_malformed'],
    ['another spelling of the signature', () => ({ evidence: otherSpelling(run.evidence) }), 'evidence_malformed'],
    ['an import left out', withImports((all) => all.slice(1)), 'evidence_imports_fewer'],
    ['imports in another order', withImports((all) => all.toReversed()), 'evidence_imports_differ'],
    ['another count', withImports((all) => all.with(0, failing(all[0]) as never)), 'evidence_imports_differ'],
    ['an entry that is none', withImports((all) => [null, ...all]), 'evidence_imports_differ'],
    ['a line less', withLines((lines) => lines.toSpliced(1, 1)), 'evidence_results_moved'],
    ['the last line of an import less', withLines((lines) => lines.toSpliced(2, 1)), 'evidence_results_counted'],
    [
      'imports of lines in another order',
      withLines((lines) => [...lines.slice(3), ...lines.slice(0, 3)]),
      'evidence_results_unknown',
    ],
    ['one record left out', withLines((lines) => lines.with(3, bare(lines[3]))), 'evidence_records_lacking'],
    [
      'a value of a result',
      withLines((lines) => lines.map((line) => line.replace('import2-2', 'x'))),
      'evidence_results_differ',
    ],
    [
      'a member that engines treat apart',
      withLines((lines) => lines.map((line) => line.replace('{', '{"__proto__":{},'))),
      'evidence_results_differ',
    ],
    ['a line that is no result', withLines((lines) => [...lines, '7']), 'evidence_results_unreadable'],
  ])('%s', async (_, change, code) => {
    const { holds, codes } = await verified(change());
    expect([holds, codes]).toEqual([false, expect.arrayContaining([code])]);
  });

  it.each<[Parameters<typeof signedRun>[1], string]>([
    [{ header: { typ: 'at+jwt' } }, 'evidence_malformed'],
    [{ header: { alg: 'none' } }, 'evidence_malformed'],
    [{ header: { crit: ['exp'] } }, 'evidence_malformed'],
    [{ payload: { imports: '3' } }, 'evidence_malformed'],
    [{ payload: { counts: { imports: 3, total: 9 } } }, 'evidence_counts_differ'],
  ])('signed by the same key, but with %j', async (changed, code) => {
    expect((await verified(await signedRun(signer, changed))).codes).toContain(code);
  });

  it('counts the archive, whose sum is another', async () => {
    const sums = countsOfRun(run.imports);
    expect(sums.archived).toBeGreaterThan(0);
    const other = await signedRun(signer, { payload: { counts: { ...sums, archived: sums.archived - 1 } } });
    expect((await verified(other)).codes).toContain('evidence_counts_differ');
  });

  describe('a forger signs with a key of his own', () => {
    const forger = localSigner();
    let genuine: string;
    beforeAll(async () => {
      genuine = (await signer.publicKey()).kid;
    });
    const forged = () => signedRun(forger, { header: { kid: genuine } });
    const worn = async () => (await forged()).keys.map((key) => ({ ...key, kid: genuine }));
    const FORGERIES: readonly (readonly [string, () => Promise<object>, string])[] = [
      ['that wears the genuine kid', async () => ({ keys: await worn() }), 'evidence_key_misnamed'],
      ['beside the genuine key', async () => ({ keys: [...(await worn()), ...run.keys] }), 'evidence_forged'],
      ['of its own kid', async () => ({ ...(await signedRun(forger)), keys: run.keys }), 'evidence_unknown_key'],
    ];

    it.each(FORGERIES)('%s', async (_, change, code) => {
      const each = { ...(await forged()), ...(await change()) };
      expect(await verified(each)).toMatchObject({ holds: false, wrong: ['signature'], codes: [code] });
    });

    it('that comes with the evidence: without keys that came another way, nobody knows whether it holds', async () => {
      const codes = expect.arrayContaining(['evidence_no_keys', 'evidence_results_hold']);
      expect(await verified({ ...(await forged()), keys: undefined })).toMatchObject({ holds: null, wrong: [], codes });
    });

    it.runIf(hasPython)('the second implementation finds the same', async () => {
      const changes = await Promise.all(FORGERIES.map(([, change]) => change()));
      const cases = [...changes, { keys: undefined }];
      const given = await forged();
      const refused = FORGERIES.map(() => ['signature']);
      expect(pythonVerdicts(cases.map((change) => ({ ...given, ...change })))).toEqual([
        ...refused,
        ['signature not checked'],
      ]);
    });
  });

  it('names the import and the lines', async () => {
    const { wrong, places } = await verified({
      imports: run.imports,
      lines: run.lines.map((line) => line.replaceAll('r-import2-2', 'x')),
    });
    expect([wrong, places]).toEqual([
      ['records import2', 'results import2'],
      [
        { path: 'results.jsonl', line: 5, last: 8 },
        { path: 'results.jsonl', line: 5, last: 8 },
      ],
    ]);
  });
});

describe('what came after the signature', () => {
  const erasedLines = () =>
    run.lines.map((line, index) =>
      index === 3
        ? JSON.stringify({ ...JSON.parse(line), external_record_id: null, progress: null, record: null, erased: true })
        : line,
    );

  const erasedImports = () =>
    run.imports.map((entry, index) => (index === 1 ? { ...entry, erased: true } : entry)) as SignedRun['imports'];
  const revertedImports = (reverted_at: string) => run.imports.map((entry) => ({ ...entry, reverted_at }));
  const added = () => [...run.imports, { ...run.imports[0], import_id: 'late' }] as SignedRun['imports'];

  const LATER: readonly (readonly [string, () => Partial<SignedRun>, readonly string[], readonly string[]])[] = [
    [
      'a revert',
      () => ({ imports: revertedImports('2026-03-02T00:00:00.000Z'), lines: run.lines }),
      ['imports import0', 'imports import1', 'imports import2'],
      ['evidence_import_reverted'],
    ],
    [
      'an erasure',
      () => ({ imports: erasedImports(), lines: erasedLines() }),
      ['imports import1', 'records import1', 'results import1'],
      ['evidence_import_erased', 'evidence_results_erased', 'evidence_records_erased'],
    ],
    [
      'an erasure, with results saved before it',
      () => ({ imports: erasedImports(), lines: run.lines }),
      ['imports import1'],
      ['evidence_results_hold', 'evidence_records_hold'],
    ],
    [
      'an erasure, with the list saved before it',
      () => ({ imports: run.imports, lines: erasedLines() }),
      ['records import1', 'results import1'],
      ['evidence_imports_hold', 'evidence_results_erased'],
    ],
    [
      'another import of the run',
      () => ({ imports: added(), lines: run.lines }),
      ['imports'],
      ['evidence_imports_added', 'evidence_results_hold'],
    ],
  ];

  it.each(LATER)('%s is said, with why', async (_, change, wrong, codes) => {
    expect(await verified(change())).toMatchObject({ holds: false, wrong, codes: expect.arrayContaining([...codes]) });
  });

  it.runIf(hasPython)('the second implementation finds the same', () => {
    const verdicts = pythonVerdicts(
      LATER.map(([, change]) => ({ ...run, imports: undefined, lines: undefined, ...change() })),
    );
    expect(verdicts).toEqual(LATER.map(([, , wrong]) => wrong));
  });

  it('a revert before the signature is part of what was signed', async () => {
    const early = revertedImports('2026-02-01T00:00:00.000Z');
    expect((await verified({ imports: early })).codes).toContain('evidence_imports_differ');
  });
});

it(`single changes of evidence and results are refused, each with its place, ${hasPython ? 'and by the second implementation alike' : 'by one implementation: there is no Python here'}`, async () => {
  const changed = changesOf(run, cases(10_000, 100));
  const verdicts: string[][] = [];
  for (const { run: each } of changed) verdicts.push((await verified(each)).wrong);
  expect(changed.filter((_, index) => verdicts[index]?.length === 0).map(({ what }) => what)).toEqual([]);
  const others = pythonVerdicts([run, ...changed.map(({ run: each }) => each)]);
  if (!hasPython) return;
  expect(others[0]).toEqual([]);
  expect(
    changed.flatMap(({ what }, index) =>
      String(others[index + 1]) === String(verdicts[index]) ? [] : [[what, verdicts[index], others[index + 1]]],
    ),
  ).toEqual([]);
});
