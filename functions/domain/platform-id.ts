/** Whether a value can be the platform's id of a user, a course or a class: a safe integer from 0 (rule 4). */
export function isPlatformId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
