import { RECORD_RULES } from '../workflow/record-rules.ts';
import type { PlanningServices } from '../workflow/plan-chunk.ts';
import { METRIC } from './metric-names.ts';
import type { Services } from './services.ts';

/** What planning needs of a handler's services; a record that makes a rule throw is counted, never shown. */
export function planningServices({
  stores,
  telemetry,
  rules,
}: Pick<Services, 'stores' | 'telemetry' | 'rules'>): PlanningServices {
  return {
    stores,
    rules: rules ?? RECORD_RULES,
    onPoison: (index, error) => {
      telemetry.count(METRIC.recordsProcessingFailed);
      telemetry.error('a rule threw on a record', withoutMessage(error), { index });
    },
  };
}

/** A message may quote the record; where it was thrown says enough. */
function withoutMessage(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return Object.assign(new Error(), { name: error.name, stack: error.stack?.replace(error.message, '') });
}
