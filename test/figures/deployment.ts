/** The limits of a deployment with these settings, read from its template. */
import { resourcesOfType } from '../../bin/local/template.ts';
import type { Settings } from '../../lib/settings.ts';
import { templateOf } from '../kit/template.ts';
import { NEW_TABLE, type Units } from './model/throughput.ts';

/** Memory that has one vCPU (docs.aws.amazon.com/lambda, "Configure Lambda function memory"). */
const MB_OF_A_CPU = 1_769;

export interface FunctionLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Part of a vCPU. */
  readonly cpu: number;
}

export interface Deployment {
  readonly processors: number;
  readonly batchSize: number;
  readonly table: Units;
  readonly limitsOf: (functionName: string) => FunctionLimits;
}

export function deploymentOf(settings: Pick<Settings, 'warm' | 'processors'> = {}): Deployment {
  const template = templateOf({ company: 'figures', stage: 'production', ...settings });
  const functions = resourcesOfType(template, 'AWS::Lambda::Function');
  const sources = resourcesOfType(template, 'AWS::Lambda::EventSourceMapping');
  const [, source = {}] = sources.find(([id]) => id.includes('ProcessChunk')) ?? [];
  return {
    processors: (source['ScalingConfig'] as { MaximumConcurrency: number }).MaximumConcurrency,
    batchSize: Number(source['BatchSize']),
    // As docs/runbook.md raises the table before its stack gets the setting.
    table: { writes: settings.warm ?? NEW_TABLE.writes, reads: Math.max(settings.warm ?? 0, NEW_TABLE.reads) },
    limitsOf(name) {
      const id = name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const found = functions.find(([logicalId]) => logicalId.includes(id));
      if (found === undefined) throw new Error(`The template has no function ${name}.`);
      const memoryMb = Number(found[1]['MemorySize']);
      return { timeoutMs: Number(found[1]['Timeout']) * 1_000, memoryMb, cpu: Math.min(1, memoryMb / MB_OF_A_CPU) };
    },
  };
}
