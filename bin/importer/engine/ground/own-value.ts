/**
 * The member of a table whose names come from a file. `table[name]` has more: for a column `constructor`, a function that every
 * object inherits.
 */
export const ownValue = <Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
