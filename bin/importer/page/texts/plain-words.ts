/** Sentences of the engine and of the service without names of members, codes, and options of the command. */

/** Each in the words of a person who has neither seen the interface nor the command. */
const OF_COMMAND: readonly (readonly [RegExp, string])[] = [
  [/\s*\((?:[^()]*\s)?--json[^()]*\)/g, ''],
  [/\s*(?:Until then these records are rejected\.|, or --[a-z-]+[^.;]*)/g, ''],
  [/,? (?:with|by|name it with|use) --[a-z-]+(?:[ =]\S+)?/g, ''],
  [/--[a-z-]+(?:[ =](?:"[^"]*"|[A-Z]+\b))?/g, 'the other choices'],
  [/npx \S+ \S+[^.]*/g, 'the command'],
  [/\s*\((?:[a-z]+_)+[a-z]+(?::[^()]*)?\)/g, ''],
];

const MEMBER =
  /\b(?:(?:progress|assessment|content|user)\.[a-z_]+|external_record_id|external_[a-z_]+|platform_[a-z_]+|completion_pct|run_id|import_id)\b/g;

/** @param fields words by the dotted name of a member */
export function plainWords(sentence: string, fields: Readonly<Record<string, string>>): string {
  const said = OF_COMMAND.reduce((text, [form, words]) => text.replaceAll(form, words), sentence);
  return said.replaceAll(
    MEMBER,
    (member) => fields[member] ?? fields[`progress.${member}`] ?? member.replace(/^.*\./, '').replaceAll('_', ' '),
  );
}

/** An id that cannot be one of the platform is a course or a person that it does not know. */
export function plainCode(code: string, field: string | undefined): string {
  if (code !== 'invalid_record') return code;
  if (field?.startsWith('content.') === true) return 'external_course_id_not_mapped';
  return field === 'user.email' ? 'user_not_found' : code;
}
