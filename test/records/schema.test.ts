/** The schemas as documentation, and the values they return. Costs milliseconds. */
import { toJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from 'vitest';
import { DATE_PATTERN } from '../../functions/records/instants.ts';
import { migrationRecord } from '../../functions/records/schema.ts';

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

  it('the schema has the pattern of a date', () => {
    expect(JSON.stringify(schema)).toContain(JSON.stringify(DATE_PATTERN));
  });
});
