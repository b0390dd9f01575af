import { parseRecord } from '../domain/parse-record.ts';
import { planRecord } from '../domain/plan-record.ts';
import { resolveRecord } from '../domain/resolution.ts';

/** The pure rules that decide about a record, as an argument, so that a test can put a throwing one in their place. */
export interface RecordRules {
  readonly parse: typeof parseRecord;
  readonly resolve: typeof resolveRecord;
  readonly plan: typeof planRecord;
}

export const RECORD_RULES: RecordRules = { parse: parseRecord, resolve: resolveRecord, plan: planRecord };
