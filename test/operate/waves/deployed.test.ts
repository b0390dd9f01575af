/** The list of versions. Costs milliseconds. */
import { expect, it } from 'vitest';
import { versionLines } from '../../../bin/operate/waves/deployed.ts';
import { targetOf } from '../../../bin/operate/waves/plan.ts';

it('the list shows the version of each company, and which company has none', () => {
  const [production, sandbox] = [
    targetOf({ company: 'acme', stage: 'production' }),
    targetOf({ company: 'globex', stage: 'sandbox' }),
  ];
  const deployed = new Map([
    [production.stack, { name: '', status: 'UPDATE_COMPLETE', outputs: new Map([['Version', '1.0.0']]) }],
  ]);
  expect(versionLines([production, sandbox], deployed)).toEqual([
    'acme    production  1.0.0  UPDATE_COMPLETE',
    'globex  sandbox     –      not deployed',
  ]);
});
