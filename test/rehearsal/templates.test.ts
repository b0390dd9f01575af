/** Every stage as `cdk synth` gives it, before three judges: cdk-nag and the CDK's validation, which fail the synthesis, and cfn-lint. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cdk, contextOf } from './support/cdk.ts';
import { pythonTool } from './support/python-tools.ts';

/** The CDK repeats some dependencies that a reference has already: harmless, and not ours to mend. */
const NOT_OURS = 'W3005';

const folder = mkdtempSync(join(tmpdir(), 'templates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['sandbox', 'production'])('the template of a %s', (stage) => {
  const output = join(folder, stage);

  it('has no finding of cdk-nag or the CDK that is not acknowledged with a reason', async () => {
    const printed = await cdk(['synth', '--quiet', ...contextOf({ company: 'acme', stage }), '--output', output]);
    expect(printed).not.toMatch(/^(ERROR|WARNING|INFO)\b/m);
    const report = readdirSync(output).find((name) => name === 'policy-validation-report.json');
    const findings = report === undefined ? [] : JSON.parse(readFileSync(join(output, report), 'utf8'));
    expect(JSON.stringify(findings)).not.toContain('"failure"');
  });

  it('has no finding of cfn-lint', () => {
    const template = join(output, `course-progress-migration-acme-${stage}.template.json`);
    const lint = () => execFileSync(pythonTool('cfn-lint'), ['--ignore-checks', NOT_OURS, '--', template]);
    expect(lint).not.toThrow();
  });
});
