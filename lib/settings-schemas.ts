/** Kinds of settings, each with the sentence that says what a wrong value must be. */
import * as v from 'valibot';

export const pattern = (form: RegExp, rule: string) => v.pipe(v.string(rule), v.regex(form, rule));
export const text = (form: RegExp, rule: string, description: string) =>
  v.pipe(pattern(form, rule), v.description(description));
export const principal = (description: string) =>
  text(/^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/[\w+=,.@/-]+$/, 'must be the ARN of an IAM role or user', description);
export const table = (description: string) =>
  text(/^[A-Za-z0-9_.-]{3,255}$/, 'must be the name of a DynamoDB table', description);
export const range = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(least, rule), v.maxValue(most, rule));
};
export const wholeNumber = (least: number, most: number, description: string) =>
  v.pipe(range(least, most), v.description(description));
export const flag = (description: string) => v.pipe(v.boolean('must be true or false'), v.description(description));
