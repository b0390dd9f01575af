/** The completion of a shell. All words are in the script, which compares what is typed and never runs it. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../../engine/errors.ts';
import { plainCommand } from '../command.ts';

export const command = () =>
  plainCommand('completion', 'print the completion of a shell: source <(… completion bash)', ['completion bash'])
    .argument('<shell>', 'bash')
    .action((shell, _, { parent }) => {
      if (parent !== null) process.stdout.write(completionScript(parent, shell));
    });

/** @throws UsageError if the shell is not bash */
export function completionScript(program: CommandUnknownOpts, shell: string): string {
  if (shell !== 'bash')
    throw new UsageError(`There is no completion for ${shell.slice(0, 100)}. There is one for bash.`);
  const commands = program.commands.map((command) => ({
    name: command.name(),
    options: command.options.flatMap(({ long }) => long ?? []),
  }));
  const cases = commands.map(({ name, options }) => `    ${name}) words='${options.join(' ')}' ;;`);
  return `# Completion of ${program.name()} for bash: source this file, or put it into the folder of completions.
_course_progress_migration() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command='' words='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ "\${COMP_WORDS[i]}" != -* ]]; then command="\${COMP_WORDS[i]}"; break; fi
  done
  case "$command" in
    '') words='${commands.map(({ name }) => name).join(' ')} --help --version' ;;
${cases.join('\n')}
  esac
  COMPREPLY=()
  for word in $words; do
    if [[ "$word" == "$current"* ]]; then COMPREPLY+=("$word"); fi
  done
}
complete -o default -F _course_progress_migration ${program.name()}
`;
}
