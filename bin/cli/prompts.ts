import { confirm, isCancel, password, text } from '@clack/prompts';

/** The person at the terminal broke a question off. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

// Questions go where progress goes; stdout is for results.
const output = process.stderr;

const mustBeFilled = (value: string | undefined): string | undefined =>
  value?.trim() ? undefined : 'Please enter a value';

export async function askText(message: string, initialValue?: string): Promise<string> {
  const initial = initialValue === undefined ? {} : { initialValue };
  return answered(await text({ message, output, validate: mustBeFilled, ...initial })).trim();
}

export async function askPassword(message: string): Promise<string> {
  return answered(await password({ message, output }));
}

export async function askToConfirm(message: string): Promise<boolean> {
  return answered(await confirm({ message, output }));
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new Interrupted('cancelled');
  return answer as Exclude<T, symbol>;
}
