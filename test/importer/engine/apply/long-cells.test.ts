/** Cells of one character, a hundred thousand times: a pattern that is not linear would not end. Costs a second. */
import { expect, it } from 'vitest';
import { HeaderColumns } from '../../../../bin/importer/engine/ground/columns.ts';
import { compileMapping } from '../../../../bin/importer/engine/apply/compile.ts';
import { FIELD_NAMES } from '../../../../bin/importer/engine/ground/fields.ts';
import { guessDelimiter } from '../../../../bin/importer/engine/read/header.ts';
import { guessColumns } from '../../../../bin/importer/engine/profile/roles.ts';
import { cellReader } from '../../../../bin/importer/engine/language/classes.ts';
import { Notes } from '../../../../bin/importer/engine/language/notes.ts';
import { TableProfile } from '../../../../bin/importer/engine/profile/table-profile.ts';
import { csvLine } from '../../../../bin/importer/engine/read/csv.ts';
import { shown } from '../../../../bin/importer/engine/ground/text.ts';

const LENGTH = 100_000;
const CHARACTERS = Array.from('aA1 ._-+%@/,;:"\'(){}[]*#\\\t\n\u{1b}\u{a0}\u{202e}ß日');
const COLUMNS = ['x', 'y'];
const NOTATION = { dates: 'iso', reading: {}, decimal: '.', scale: 1 } as const;

it.each(CHARACTERS)('a very long cell of %j is read, shown and written', (character) => {
  for (const cell of [character.repeat(LENGTH), `${character.repeat(LENGTH)}x`, `1${character.repeat(LENGTH)}x`]) {
    for (const field of FIELD_NAMES) {
      const mapping = {
        dates: ['iso', 'DD/MM/YYYY HH:mm', 'D MMMM YYYY'],
        record: { external_record_id: 'y', [field]: 'x' },
      };
      compileMapping(mapping, new HeaderColumns('f', COLUMNS), { notes: new Notes() }).toRecord([cell, 'r-1']);
    }
    const profile = new TableProfile(COLUMNS);
    profile.add([cell, 'ana@acme.test']);
    guessColumns(profile.columns);
    for (const read of ['text', 'percent', 'share', 'date'] as const) cellReader({ read }, NOTATION)(cell);
    guessDelimiter(cell);
    expect(csvLine([cell], ',').length).toBeGreaterThanOrEqual(LENGTH);
    expect(shown(cell).length).toBeGreaterThanOrEqual(LENGTH);
  }
});
