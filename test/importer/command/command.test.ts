/** The form of a command: its options and their types. Costs milliseconds. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  collected,
  fileCommand,
  type OptionsOf,
  serviceCommand,
  wholeNumber,
} from '../../../bin/importer/command/command.ts';
import type { SourceOptions } from '../../../bin/importer/engine/read/open-source.ts';

const declared = () =>
  fileCommand('try', 'a command', ['try --most 3'])
    .option('--most <number>', 'a number', wholeNumber(1, 5), 2)
    .option('--set <name=value>', 'repeated', collected)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });

const optionsOf = (...argv: string[]) => declared().parse(argv, { from: 'user' }).opts();

describe('options', () => {
  it('an option has the type of its declaration', () => {
    expectTypeOf<OptionsOf<typeof declared, SourceOptions>['most']>().toEqualTypeOf<number>();
    expectTypeOf<OptionsOf<typeof declared>['sheet']>().toEqualTypeOf<string | undefined>();
    // @ts-expect-error -- there is no --least
    expect(optionsOf().least).toBeUndefined();
  });

  it('an option that code reads and no command declares does not compile', () => {
    const service = () => serviceCommand('try', 'a command', []);
    expectTypeOf<OptionsOf<typeof service, SourceOptions>>().toEqualTypeOf<never>();
  });

  it('an option is read by its rule', () => {
    expect(optionsOf('--set', 'a=1', '--set', 'b=2', '--delimiter', 'tab')).toMatchObject({
      most: 2,
      set: ['a=1', 'b=2'],
      delimiter: '\t',
    });
  });

  it.each([
    ['--most', '0', 'It must be a whole number from 1 to 5.'],
    ['--most', '2.5', 'It must be a whole number from 1 to 5.'],
    ['--delimiter', ';;', 'It must be one character.'],
    ['--format', 'xml', 'Allowed choices are csv, json, ndjson.'],
  ])('the option %s %s is refused', (option, value, message) => {
    expect(() => optionsOf(option, value)).toThrow(message);
  });
});
