/** `npm run load` against the running stack, with two small imports. Costs seconds. */
import { expect, inject, it } from 'vitest';
import { load } from '../../bin/load/main.ts';
import { deploymentAt } from '../../bin/verify/deployment.ts';
import { PASSWORD } from '../kit/test-data.ts';

it('a load of 600 records at 2,000 a second is applied whole, and reported', async () => {
  const credentials = { email: 'admin@verified.test', password: PASSWORD };
  const { lines, missing } = await load(deploymentAt(inject('baseUrl')), {
    rate: 2000,
    records: 600,
    production: false,
    credentials,
  });
  expect(missing).toBe(0);
  expect(lines[0]).toMatch(
    /^The service: 600 of 600 records applied by 2 imports in [\d.]+ s: [\d,]+ a second, of 2,000 asked for\.$/,
  );
  expect(lines.filter((line) => line.startsWith('  POST imports: '))).toEqual([
    expect.stringMatching(/: \d+, p50 [\d,]+ ms, p99/),
  ]);
});
