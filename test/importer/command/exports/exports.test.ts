/**
 * Exports of many systems, languages and encodings, and those of the documentation. For each file is written by hand
 * what a person confirms, and the progress of each learner. A quarter of the others in `npm test`. Costs seconds.
 */
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { openSourceFile } from '../../../../bin/importer/command/files/records.ts';
import { confirmSuggestions, mappingOf, withOutcome } from '../../../../bin/importer/engine/decide/confirm.ts';
import { say } from '../../../../bin/importer/engine/ground/codes.ts';
import { findKinds } from '../../../../bin/importer/engine/decide/find.ts';
import type { ConfirmedKind, Findings } from '../../../../bin/importer/engine/language/findings.ts';
import { platformOf } from '../../../../bin/importer/engine/match/platform.ts';
import { leftOutRows } from '../../../../bin/importer/engine/run/survey.ts';
import { someOf } from '../../../kit/at-length.ts';
import {
  documented,
  type Expected,
  expectedOf,
  exported,
  jsonAt,
  registeredPlatform,
  stemOf,
} from '../support/exports.ts';
import { freshFolder } from '../support/files.ts';
import { importFiles } from '../support/platform.ts';

function confirmed(findings: Findings, confirm: readonly ConfirmedKind[]): Findings {
  const says = (values: ConfirmedKind['values'], wanted: ConfirmedKind['values']): boolean =>
    Object.entries(wanted).every(([name, text]) => values[name]?.toLowerCase() === text.toLowerCase());
  let chosen = findings;
  for (const { values } of findings.kinds) {
    const outcome = confirm.find((each) => says(values, each.values));
    if (outcome === undefined) continue;
    const { reason, ...others } = outcome;
    const said = typeof reason === 'string' ? say('own_reason', { text: reason }) : null;
    chosen = withOutcome(chosen, values, { ...others, reason: said });
  }
  return confirmSuggestions(chosen);
}

async function importedAs(file: string, { options, choices, confirm = [], mapping }: Expected) {
  const copy = join(freshFolder(), basename(file));
  copyFileSync(file, copy);
  const { set, timeZone, ...wanted } = options;
  const platform = await registeredPlatform();
  const find = async () =>
    findKinds([await openSourceFile(copy, wanted)], {
      platform: await platformOf(platform.client),
      choices: { ...(timeZone === undefined ? {} : { timeZone }), ...choices },
    });
  const path = `${stemOf(copy)}.mapping.json`;
  writeFileSync(path, JSON.stringify(mapping ?? mappingOf(confirmed(await find(), confirm))));
  return importFiles(platform, [copy], { mapping: path, ...(set === undefined ? {} : { set }) });
}

it.each([...documented, ...someOf(exported, 4)])(
  'the export of $system, $name, ends as a person reads it',
  async ({ system, name, file }) => {
    const expected = expectedOf(system, name);
    const written = `${stemOf(file)}.mapping.json`;
    const given = existsSync(written) ? { mapping: jsonAt(written) } : {};
    const { endState, survey, dry, real } = await importedAs(file, { ...given, ...expected });
    expect(endState).toEqual(expected.end);
    expect(dry.summary).toEqual(real.summary);
    const { rejected = 0, left_out = 0, skipped = survey.skipped } = expected;
    expect([real.summary.rejected, leftOutRows(survey), survey.skipped]).toEqual([rejected, left_out, skipped]);
  },
);
