/**
 * Presets: which columns of the exports of a well-known system give which member. A file for each system, in `presets`, names in
 * `about` the source of its headers; the general guess finds the headers of other versions and languages.
 */
import moodle from './presets/moodle.json' with { type: 'json' };
import totara from './presets/totara.json' with { type: 'json' };
import cornerstone from './presets/cornerstone.json' with { type: 'json' };
import successfactors from './presets/successfactors.json' with { type: 'json' };
import docebo from './presets/docebo.json' with { type: 'json' };
import canvas from './presets/canvas.json' with { type: 'json' };
import openEdx from './presets/open-edx.json' with { type: 'json' };
import learndash from './presets/learndash.json' with { type: 'json' };
import linkedinLearning from './presets/linkedin-learning.json' with { type: 'json' };
import udemy from './presets/udemy.json' with { type: 'json' };
import xapi from './presets/xapi.json' with { type: 'json' };
import scorm from './presets/scorm.json' with { type: 'json' };
import oneroster from './presets/oneroster.json' with { type: 'json' };
import type { Field } from './fields.ts';
import type { Mapping, ValueSource } from './schema.ts';

/** A header, a rule whose `column` is a header, or a header of states that show the progress of a learner. */
export type Candidate = string | ValueSource | { readonly progress_of: string };

export interface Shape {
  /** Headers by which this export is recognised. */
  readonly has: readonly string[];
  /** The first candidate whose columns the file has, filled, is taken. */
  readonly record: Readonly<Partial<Record<Field, readonly Candidate[]>>>;
  readonly settings?: Partial<Mapping>;
  /** Headers of the user and the course: rows that have both in common are attempts at one course, or parts of it. */
  readonly group_by?: readonly (readonly string[])[];
  /** Rules of `skip`, by the headers that their column may have. */
  readonly skip?: readonly { readonly columns: readonly string[]; readonly is: readonly string[] }[];
  /** Columns with a state, each next to one with its date and no header, are classes. */
  readonly activities?: boolean;
  /** What a person should know of its meaning. */
  readonly doubt?: string;
  /** The export has no dates at all. */
  readonly keepsDates?: boolean;
}

interface Preset {
  /** The public sources of its headers and words. */
  readonly about: string;
  /** The month in which they were last read. */
  readonly read: string;
  readonly exports: readonly Shape[];
}

/** Presets by the name of the system. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  moodle,
  totara,
  cornerstone,
  successfactors,
  docebo,
  canvas,
  'open-edx': openEdx,
  learndash,
  'linkedin-learning': linkedinLearning,
  udemy,
  xapi,
  scorm,
  oneroster,
};
