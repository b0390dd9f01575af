/** The completion of a shell. All words are in the script: what is typed is compared, never run. */
import type { Command } from 'commander';
import { UsageError } from '../importer/errors.ts';

/** @throws UsageError for another shell than bash */
export function completionScript(program: Command, shell: string): string {
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
