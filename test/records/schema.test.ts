/** The schemas as documentation, and the values they return. Costs milliseconds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from 'vitest';
import { DATE_PATTERN } from '../../functions/records/instants.ts';
import {
  assessmentBlock,
  contentBlock,
  migrationRecord,
  progressBlock,
  userBlock,
} from '../../functions/records/schema.ts';

describe('the schema of a record', () => {
  const schema = toJsonSchema(migrationRecord, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['check'],
  });

  it('the schema names the required members', () => {
    expect(schema.required).toEqual(['external_record_id', 'user', 'content']);
  });

  it('the schema has lengths in code points, as JSON Schema does', () => {
    expect(schema.properties?.['external_record_id']).toMatchObject({ type: 'string', minLength: 1, maxLength: 128 });
  });

  it('each member of a record has a row in the table of section 2.7', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/interface.md'), 'utf8');
    const [, section = ''] = page.split('### 2.7 ');
    const rows = section.split('### 2.8 ')[0]?.match(/(?<=^\| `).*?(?=` \| (?:yes|no|conditional) \|)/gm) ?? [];
    const blocks = { user: userBlock, content: contentBlock, progress: progressBlock, assessment: assessmentBlock };
    const members = Object.entries(blocks).flatMap(([name, { entries }]) =>
      Object.keys(entries).map((member) => `${name}.${member}`),
    );
    expect(rows.flatMap((row) => row.split('`, `')).toSorted()).toEqual(['external_record_id', ...members].toSorted());
  });

  it('the schema has the pattern of a date', () => {
    expect(JSON.stringify(schema)).toContain(JSON.stringify(DATE_PATTERN));
  });
});
