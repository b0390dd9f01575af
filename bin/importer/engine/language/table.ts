import * as v from 'valibot';
import { isObject } from '../ground/fields.ts';

/** `v.record` for names of a file: that leaves out members called `constructor`, `prototype` or `__proto__`. */
export function table<
  Name extends v.BaseSchema<string, string, v.BaseIssue<unknown>>,
  Value extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>,
>(name: Name, value: Value): v.RecordSchema<Name, Value, undefined> {
  const plain = v.record(name, value);
  const run: (typeof plain)['~run'] = (dataset, config) => {
    const input = dataset.value;
    if (!isObject(input)) return plain['~run'](dataset, config);
    const checked = Object.entries(input).map(([key, given]) => {
      const [ofName, ofValue] = [name['~run']({ value: key }, config), value['~run']({ value: given }, config)];
      const at = { type: 'object', origin: 'value', input, key, value: given } as const;
      const found = [ofName, ofValue].flatMap((each) => each.issues ?? []);
      const issues = found.map((issue) => ({ ...issue, path: [at, ...(issue.path ?? [])] }));
      return { entry: [key, ofValue.value] as const, issues, typed: ofName.typed && ofValue.typed };
    });
    const issues = checked.flatMap((each) => each.issues);
    return {
      typed: checked.every(({ typed }) => typed),
      value: Object.fromEntries(checked.map(({ entry }) => entry)),
      ...(issues.length > 0 && { issues }),
    } as ReturnType<(typeof plain)['~run']>;
  };
  return { ...plain, '~run': run };
}
