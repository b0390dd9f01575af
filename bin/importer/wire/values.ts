/** What the importer takes from the service at run time; the types of its requests and responses are in `types.ts`. */
export { externalRecordIdOf, isRunId } from '../../../functions/records/identifiers.ts';
export { canonicalJson, isObject } from '../../../functions/records/json.ts';
export { ARCHIVED_ERRORS, isArchivable } from '../../../functions/shared/codes.ts';
export {
  MAX_EMAILS_PER_RESOLVE,
  MAX_MAPPINGS_PER_REQUEST,
  MAX_RECORDS_PER_IMPORT,
  MAX_REASON_LENGTH,
  MAX_STATEMENT_BYTES,
} from '../../../functions/shared/limits.ts';
export { type PathParameters, routeMethod, routePath } from '../../../functions/shared/routes.ts';

/** `Map.groupBy`, which Node 20 lacks. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
