/** The completion of bash, run by bash. Costs under a second. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { completionScript } from '../../../../bin/importer/command/commands/completion.ts';
import { UsageError } from '../../../../bin/importer/engine/errors.ts';
import { fileOf, freshFolder } from '../support/files.ts';

const program = new Command('course-progress-migration');
program.command('import').option('--mapping <file>', '').option('--dry-run', '');
program.command('init-mapping').option('--out <file>', '');

/** The completions of bash after these words; nothing is evaluated on the way there. */
function offered(words: readonly string[], cwd = freshFolder()): string[] {
  const script = fileOf(
    `${completionScript(program, 'bash')}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _course_progress_migration; printf '%s\\n' "\${COMPREPLY[@]}"\n`,
    'try.sh',
  );
  const { stdout, stderr, status } = spawnSync('bash', [script, ...words], { encoding: 'utf8', cwd });
  expect(`${status} ${stderr}`).toBe('0 ');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  it('bash offers commands, then the options of the command', () => {
    expect(offered(['course-progress-migration', 'i'])).toEqual(['import', 'init-mapping']);
    expect(offered(['course-progress-migration', 'import', 'a.csv', '--m'])).toEqual(['--mapping']);
    expect(offered(['course-progress-migration', 'unknown', '--'])).toEqual([]);
  });

  it.each(['$(touch harmed)', '`touch harmed`', '"; touch harmed; "', 'a[$(touch harmed)]', '*', '-$(touch harmed)'])(
    'bash never runs the typed text %s',
    (typed) => {
      const cwd = freshFolder();
      offered(['course-progress-migration', typed], cwd);
      offered(['course-progress-migration', typed, typed], cwd);
      offered(['course-progress-migration', 'import', typed], cwd);
      expect(existsSync(join(cwd, 'harmed'))).toBe(false);
    },
  );

  it('bash is the only shell', () => {
    expect(() => completionScript(program, 'fish')).toThrow(UsageError);
  });
});
