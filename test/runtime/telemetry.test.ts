/** Log lines and metrics, as written to standard output. Costs milliseconds. */
import { describe, expect, it, vi } from 'vitest';
import { powertoolsTelemetry, redact } from '../../functions/runtime/telemetry.ts';
import { capturedLines } from '../kit/captured-lines.ts';

describe('telemetry', () => {
  it.each([
    ['no user ada@acme.test', 'no user [e-mail]'],
    ['bad eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI3In0aaaa.c2lnbmF0dXJl', 'bad [token]'],
    ["Cannot read properties of undefined (reading 'x')", "Cannot read properties of undefined (reading 'x')"],
  ])('redact: %j → the text without addresses and tokens', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    [
      'the name that AWS gave it',
      Object.assign(new Error('secret'), { name: 'DisabledException' }),
      'DisabledException',
    ],
    ['the code of a broken connection', Object.assign(new Error('secret'), { code: 'ECONNRESET' }), 'ECONNRESET'],
  ])('an error is logged with the place where it was thrown, and its cause by %s', (_, cause, name) => {
    const written: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => (written.push(String(line)), true));
    powertoolsTelemetry({}).error('failed', new Error('The database is down.', { cause }));
    write.mockRestore();
    expect(written.join('')).not.toContain('secret');
    const { error } = JSON.parse(written.join(''));
    expect(error).toMatchObject({ message: 'The database is down.', cause: name });
    expect(error.stack[0]).toContain('telemetry.test.ts');
  });

  it('counts are written once, added up, with the next line or at the end; a logged error does not repeat its message', () => {
    const written = capturedLines();
    const telemetry = powertoolsTelemetry({ POWERTOOLS_SERVICE_NAME: 'acme-sandbox', SERVICE_VERSION: '1.2.3' });
    telemetry.count('RecordsApplied', 2);
    telemetry.count('RecordsApplied', 3);
    telemetry.count('user_not_found');
    telemetry.time('TimeToTerminal', 1200);
    telemetry.time('TimeToTerminal', 800);
    telemetry.error('failed', new Error('for ada@acme.test'), { import_id: 'i-1' });
    telemetry.info('chunk', { chunk: 0 });
    telemetry.count('ChunksFailed');
    telemetry.flush();
    telemetry.flush();
    vi.restoreAllMocks();
    const [error, chunk, rest, ...more] = written.map((line) => JSON.parse(line));
    expect(more).toEqual([]);
    expect(error).toMatchObject({
      level: 'ERROR',
      import_id: 'i-1',
      service: 'acme-sandbox',
      version: '1.2.3',
      error: { name: 'Error', message: 'for [e-mail]' },
    });
    const metrics = (...Metrics: object[]) => [
      { Namespace: 'CourseProgressMigration', Dimensions: [['service']], Metrics },
    ];
    expect(chunk).toMatchObject({
      level: 'INFO',
      message: 'chunk',
      service: 'acme-sandbox',
      chunk: 0,
      RecordsApplied: 5,
      user_not_found: 1,
      TimeToTerminal: [1200, 800],
      _aws: {
        CloudWatchMetrics: metrics(
          { Name: 'RecordsApplied' },
          { Name: 'user_not_found' },
          { Name: 'TimeToTerminal', Unit: 'Milliseconds' },
        ),
      },
    });
    expect(rest).toMatchObject({
      service: 'acme-sandbox',
      ChunksFailed: 1,
      _aws: { CloudWatchMetrics: metrics({ Name: 'ChunksFailed' }) },
    });
    expect(written.join('')).not.toContain('ada@acme');
  });
});
