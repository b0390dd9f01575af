/**
 * Kinds of items by the pattern of their partition keys. A login's key ends with an address, which may contain `#user#`: so a grant
 * of a company's items excludes the kinds with a fixed word that it does not name (`foreignTo`).
 */
export const ITEMS = {
  company: '*#company',
  user: '*#user#*',
  provider: '*#provider#*',
  catalog: '*#catalog#*',
  userMappings: '*#user-mappings#*',
  courseMappings: '*#course-mappings#*',
  identity: '*#record#*',
  progress: '*#learner#*',
  import: '*#import#*',
  archived: '*#archived#*',
  run: '*#run#*',
  runCounts: '*#run-counts#*',
  plan: '*#plan#*',
  gate: '*#gate',
  quota: '*#quota#*',
  // An address has an `@`, the id of a client has none.
  login: 'login#*@*',
  client: 'login#client#*',
  session: 'session#*',
  throttle: 'throttle#*',
  signingKeys: 'signing-keys',
  evidenceKeys: 'signing-keys#evidence',
  dataFile: 'data-file',
  fact: '*#fact#*',
  erasure: '*#erasure#*',
} as const;

/** The name of a kind of items. */
export type ItemKind = keyof typeof ITEMS;

const isOfCompanies = (pattern: string): boolean => pattern.startsWith('*');

/** The patterns that a grant of these kinds excludes, because a pattern of a company's items could match them. */
export function foreignTo(kinds: readonly ItemKind[]): string[] {
  const patterns: readonly string[] = kinds.map((kind) => ITEMS[kind]);
  if (!patterns.some(isOfCompanies)) return [];
  return Object.values(ITEMS).filter((pattern) => !isOfCompanies(pattern) && !patterns.includes(pattern));
}
