/** Any number of records through one call, against the whole service in memory. Costs about two seconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Import, ImportRecord } from '../../../bin/importer/client/index.ts';
import { createPlatform, type Platform } from '../command/support/platform.ts';

let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform();
});

const NAMES = ['ben.castillo', 'chiara.romano', 'dmitri.volkov', 'elif.yilmaz', 'farid.haddad', 'grace.mensah'];
const record = (i: number): ImportRecord => ({
  external_record_id: `r-${i}`,
  user: { email: `${NAMES[i % NAMES.length]}@acme.test` },
  content: { type: 'course', platform_course_id: 101 + (i % 5) },
  progress: { completion_pct: i % 101 },
});
const records = (count: number): ImportRecord[] => Array.from({ length: count }, (_, i) => record(i));

async function importIds(): Promise<string[]> {
  const { imports } = await platform.client.listImports({ limit: 100 });
  return imports.map(({ import_id }) => import_id);
}

describe('importAll', () => {
  it('the records are cut into imports, and each has its result, in their order', async () => {
    const ended: Import[] = [];
    const all = await platform.client.importAll(records(1001), { key: 'k', onImport: (each) => void ended.push(each) });
    expect(all.counts).toMatchObject({ total: 1001, succeeded: 1001, failed: 0 });
    expect(all.import_ids).toHaveLength(3);
    expect(ended.map(({ import_id }) => import_id).toSorted()).toEqual(all.import_ids.toSorted());
    expect(all.records.map(({ index, external_record_id }) => `${index} ${external_record_id}`)).toEqual(
      records(1001).map(({ external_record_id }, index) => `${index} ${external_record_id}`),
    );
  });

  it('a repeated call imports nothing twice, also after some other call; under another key it imports again', async () => {
    const first = await platform.client.importAll(records(501), { key: 'k' });
    expect(await platform.client.importAll(records(501), { key: 'k', parallel: 1 })).toEqual(first);
    expect(await importIds()).toHaveLength(2);
    const again = await platform.client.importAll(records(501), { key: 'other' });
    expect(new Set(again.records.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));
  });

  it('a record whose id occurred before in the call has an error, and only the first one is sent', async () => {
    const repeated = { ...record(0), progress: { completion_pct: 99 } };
    const { records: results, counts } = await platform.client.importAll([...records(501), repeated]);
    expect(counts).toMatchObject({ total: 502, succeeded: 501, failed: 1 });
    expect(results[501]).toMatchObject({ index: 501, errors: [{ error_code: 'duplicate_external_record_id' }] });
    expect((await platform.client.getRecord('r-0')).contributions).toHaveLength(1);
  });

  it('a dry run writes nothing, and evaluates again each time', async () => {
    const options = { dry_run: true, key: 'k' };
    expect((await platform.client.importAll(records(3), options)).records[0]?.outcome).toBe('applied');
    await platform.client.importAll(records(3), { key: 'k' });
    expect((await platform.client.importAll(records(3), options)).records[0]?.outcome).toBe('unchanged');
  });

  it('records may come one by one from any iterable, also an empty one', async () => {
    async function* some() {
      yield record(1);
      yield { ...record(2), user: { email: 'nobody@acme.test' } };
    }
    const { counts, records: results } = await platform.client.importAll(some());
    expect(counts).toMatchObject({ total: 2, succeeded: 1, failed: 1 });
    expect(results[1]).toMatchObject({ index: 1, errors: [{ error_code: 'user_not_found' }] });
    expect(await platform.client.importAll([])).toMatchObject({ counts: { total: 0 }, import_ids: [], records: [] });
  });
});
