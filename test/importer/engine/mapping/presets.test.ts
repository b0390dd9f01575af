/** The presets are data: their properties beyond the type. Costs milliseconds. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isField } from '../../../../bin/importer/engine/mapping/fields.ts';
import { PRESETS } from '../../../../bin/importer/engine/mapping/preset-list.ts';
import { SYSTEMS } from '../../../../bin/importer/engine/mapping/presets.ts';
import { checkedMapping } from '../../../../bin/importer/engine/mapping/schema.ts';

const NAMES = Object.entries(PRESETS);

it('each file of the folder is the preset of one system', () => {
  const files = readdirSync(join(import.meta.dirname, '../../../../bin/importer/engine/mapping/presets'));
  expect(files.toSorted()).toEqual(SYSTEMS.map((system) => `${system}.json`).toSorted());
});

it.each(NAMES)('the preset of %s says where its headers were found, and when', (_, { about, read }) => {
  expect(read).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
  expect(about).toMatch(/^.{20,}[.…]$/);
});

it.each(NAMES)('the rules of %s are rules of a mapping, for members of a record', (system, { exports }) => {
  for (const { record, settings = {}, skip = [] } of exports) {
    expect(Object.keys(record).filter((name) => !isField(name))).toEqual([]);
    const rules = Object.entries(record).map(([field, candidates]) => [
      field,
      candidates.filter((each) => typeof each !== 'object' || !('progress_of' in each)),
    ]);
    const filled = Object.fromEntries(rules.filter(([, candidates = []]) => candidates.length > 0));
    const whole = {
      ...settings,
      skip: skip.map(({ is }) => ({ column: 'a', is })),
      record: { external_record_id: 'a', ...filled },
    };
    expect(() => checkedMapping(system, whole)).not.toThrow();
  }
});
