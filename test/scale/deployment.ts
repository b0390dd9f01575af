/** The limits of a deployment with these settings, read from its template. */
import { resourcesOfType, type Template } from '../../bin/local/template.ts';
import type { Settings } from '../../lib/settings.ts';
import { templateOf } from '../kit/template.ts';
import { MB_OF_A_CPU, NEW_TABLE } from './assumptions.ts';

export interface FunctionLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Part of a vCPU. */
  readonly cpu: number;
}

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Deployment {
  readonly template: Template;
  readonly processors: number;
  readonly batchSize: number;
  readonly table: { readonly writes: number; readonly reads: number };
  readonly limitsOf: (functionName: string) => FunctionLimits;
  /** The rates that API Gateway admits: of polls, and of requests that start imports. */
  readonly polls: Rate;
  readonly imports: Rate;
}

type Members = Readonly<Record<string, unknown>>;

export function deploymentOf(settings: Pick<Settings, 'warm' | 'processors'> = {}): Deployment {
  const template = templateOf({ company: 'scale', stage: 'production', ...settings });
  const sources = resourcesOfType(template, 'AWS::Lambda::EventSourceMapping');
  const [, source = {}] = sources.find(([id]) => id.includes('ProcessChunk')) ?? [];
  return {
    template,
    processors: (source['ScalingConfig'] as { MaximumConcurrency: number }).MaximumConcurrency,
    batchSize: Number(source['BatchSize']),
    // As docs/runbook.md raises the table before its stack gets the setting.
    table: {
      writes: settings.warm ?? NEW_TABLE.writes,
      reads: Math.max(settings.warm ?? 0, NEW_TABLE.reads),
    },
    limitsOf: (name) => limitsIn(template, name),
    ...ratesIn(template),
  };
}

function limitsIn(template: Template, name: string): FunctionLimits {
  const id = name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const [, limits] =
    resourcesOfType(template, 'AWS::Lambda::Function').find(([logicalId]) => logicalId.includes(id)) ?? [];
  if (limits === undefined) throw new Error(`The template has no function ${name}.`);
  const memoryMb = Number(limits['MemorySize']);
  return { timeoutMs: Number(limits['Timeout']) * 1_000, memoryMb, cpu: Math.min(1, memoryMb / MB_OF_A_CPU) };
}

interface MethodSetting {
  readonly ResourcePath: string;
  readonly HttpMethod: string;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

function ratesIn(template: Template): Pick<Deployment, 'polls' | 'imports'> {
  const [[, stage] = ['', {} as Members]] = resourcesOfType(template, 'AWS::ApiGateway::Stage');
  const settings = stage['MethodSettings'] as readonly MethodSetting[];
  const rateOf = (isIt: (setting: MethodSetting) => boolean): Rate => {
    const found = settings.find(isIt);
    if (found === undefined) throw new Error('The stage has no such limit.');
    return { perSecond: found.ThrottlingRateLimit, burst: found.ThrottlingBurstLimit };
  };
  return {
    polls: rateOf(({ ResourcePath, HttpMethod }) => HttpMethod === 'GET' && ResourcePath.endsWith('{import_id}')),
    imports: rateOf(({ ResourcePath, HttpMethod }) => HttpMethod === 'POST' && ResourcePath.endsWith('imports')),
  };
}
