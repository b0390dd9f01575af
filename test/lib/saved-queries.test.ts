/** The saved queries: the functions whose logs they read, and the fields that they show. Costs a second. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Properties, resourcesOfType } from '../../bin/local/template.ts';
import { powertoolsTelemetry } from '../../functions/runtime/telemetry.ts';
import { SCENARIOS } from '../deploy/support/scenarios.ts';
import { capturedLines } from '../kit/captured-lines.ts';
import { accountTemplateOf, templateOf } from '../kit/template.ts';

const template = templateOf({ company: 'acme', stage: 'production' });

function query(name: string): Properties {
  const queries = resourcesOfType(template, 'AWS::Logs::QueryDefinition').map(([, properties]) => properties);
  return queries.find((each) => String(each['Name']).endsWith(`/${name}`)) ?? {};
}

/** Names of the fields that a query shows, without those that CloudWatch adds. */
const fieldsOf = (name: string): string[] =>
  /fields (.+)/
    .exec(String(query(name)['QueryString']))?.[1]
    ?.split(/,\s*/)
    .filter((field) => !field.startsWith('@')) ?? [];

/** As Logs Insights reads a line: `error.stack.0` is the first place. */
const valueOf = (line: unknown, field: string): unknown =>
  field.split('.').reduce((value, member) => (value as Record<string, unknown> | undefined)?.[member], line);

afterEach(() => vi.restoreAllMocks());

async function linesOf(level: string, ...metrics: (keyof typeof SCENARIOS)[]): Promise<unknown[]> {
  const written = capturedLines();
  for (const metric of metrics) await SCENARIOS[metric]?.(powertoolsTelemetry({}), 1);
  return written.map((line) => JSON.parse(line)).filter((line) => line.level === level);
}

describe('the query of faults', () => {
  it('the query reads the log of every function', () => {
    const functions = resourcesOfType(template, 'AWS::Lambda::Function').map(
      ([, each]) => (each['LoggingConfig'] as Properties)['LogGroup'],
    );
    expect(functions.length).toBeGreaterThan(20);
    expect(query('faults')['LogGroupNames']).toHaveLength(functions.length);
    expect(query('faults')['LogGroupNames']).toEqual(expect.arrayContaining(functions));
    // AWS takes no more in one query.
    expect(functions.length).toBeLessThanOrEqual(50);
  });

  it('every field of the query is in a log line: route, request, company, import, chunk, error, cause and place', async () => {
    const lines = await linesOf('ERROR', 'InternalErrors', 'SigningKeyUnusable', 'ChunksFailed');
    // Lambda's own lines have the status.
    const shown = fieldsOf('faults').filter((field) => field !== 'record.status');
    const missing = shown.filter((field) => !lines.some((line) => valueOf(line, field) !== undefined));
    expect(shown.length).toBeGreaterThan(8);
    expect(missing).toEqual([]);
  });
});

it('the query of stuck imports names each with its missing chunks', async () => {
  const [line] = await linesOf('INFO', 'ImportsStuck');
  expect(String(query('stuck imports')['QueryString'])).toContain(`message = "${String(valueOf(line, 'message'))}"`);
  for (const field of fieldsOf('stuck imports')) expect(valueOf(line, field)).toBeDefined();
});

it('the query of speed and memory reads members of the lines of requests and chunks, of every function', async () => {
  const lines = await linesOf('INFO', 'InternalErrors', 'ChunksRetried');
  const text = String(query('speed and memory')['QueryString']);
  expect(text).toContain('filter ispresent(memory_mb)');
  const having = (member: string) =>
    lines.filter((line) => Number(valueOf(line, member)) > 0).map((line) => String(valueOf(line, 'message')));
  expect(having('memory_mb').toSorted((a, b) => a.localeCompare(b))).toEqual(['chunk', 'request']);
  expect(having('start_ms')).toContain('request');
  for (const member of ['duration_ms', 'memory_mb', 'start_ms']) expect(text).toContain(`max(${member})`);
  for (const line of lines) expect(valueOf(line, 'duration_ms')).toBeDefined();
  expect(query('speed and memory')['LogGroupNames']).toEqual(query('faults')['LogGroupNames']);
});

describe('a stolen session', () => {
  it('the query of sessions has the one that reads the most first, with the number of its addresses', () => {
    const text = String(query('sessions')['QueryString']);
    expect(text).toContain('sum(HistoryReads) as history_reads, count_distinct(source_ip) as addresses');
    expect(text).toMatch(/ by company_id, user_id, session_id\s*\| sort history_reads desc/);
  });

  it('what the queries read is in the line of a read: session, address, company, user and the count', async () => {
    const [read] = await linesOf('INFO', 'HistoryReads');
    for (const member of ['session_id', 'source_ip', 'company_id', 'user_id', 'HistoryReads'])
      expect([member, valueOf(read, member)]).toEqual([member, expect.anything()]);
    const text = String(query('one import, session or address')['QueryString']);
    expect(text).toMatch(/import_id = ".+" or session_id = ".+" or source_ip = ".+"/);
  });
});

it('the account stack has the same queries, for the log groups of any stack; then no other stack has them', () => {
  const texts = (of: typeof template) =>
    resourcesOfType(of, 'AWS::Logs::QueryDefinition').map(([, { QueryString }]) => QueryString);
  const account = accountTemplateOf();
  expect(texts(account)).toEqual(texts(template));
  expect(texts(account).length).toBeGreaterThan(4);
  for (const [, { LogGroupNames }] of resourcesOfType(account, 'AWS::Logs::QueryDefinition'))
    expect(LogGroupNames).toEqual([]);
  expect(texts(templateOf({ company: 'acme', stage: 'production' }, {}))).toEqual([]);
});

it('a failed run of the watchdog is not repeated beside the next one', () => {
  const [[, how] = []] = resourcesOfType(template, 'AWS::Lambda::EventInvokeConfig');
  expect(how).toMatchObject({ MaximumRetryAttempts: 0 });
});
