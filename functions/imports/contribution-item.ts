/**
 * One contribution as an attribute of the learner-course item: `m#<import>#<index>`, one JSON text with short names, so that a
 * record without class detail costs one write unit. With many views it is compressed.
 */
import type { Item } from '../dynamodb/client.ts';
import { compressJsonText, packInstant, unpackInstant, unpackJson } from '../dynamodb/encoding.ts';
import type { AssessmentStatus, ClassView, Contribution, DatedField, Instant } from '../shared/model.ts';

/** The meaning of each name; a member that is absent is `null`, empty, or 0. */
interface Packed {
  readonly source: 'external_migration';
  /** `external_record_id` */
  readonly r: string;
  /** `imported_at` */
  readonly t: string;
  /** `completion_pct`; inside the text, because a number of the database underflows where a percentage may be tiny. */
  readonly p: number;
  /** `started_at`, `last_activity_at`, `completed_at` (ended), `certified_at`; absent if it defaulted to `imported_at`. */
  readonly s?: string | null;
  readonly l?: string | null;
  readonly e?: string | null;
  readonly c?: string | null;
  /** `defaulted`: the letters of the dates that were not sent. */
  readonly d?: string;
  /** `approved_course`, if it does not follow from `certified_at`. */
  readonly a?: 0 | 1;
  /** `classes` (`packClasses`). */
  readonly k?: string;
  /** `defaulted_classes`, if they do not follow from the text of the classes. */
  readonly n?: readonly number[];
  /** `assessment_status` and `score_pct`, as in `passed 87.5`. */
  readonly x?: string;
  /** `external_ref` */
  readonly f?: string | number | boolean;
  /** `replaces`: it overrules what was accepted before it. */
  readonly o?: 1;
  /** `content_hash`: hexadecimal digits as base64url, anything else as it is behind `=`. */
  readonly h: string;
}

const PREFIX = 'm#';
const LETTERS = { started_at: 's', last_activity_at: 'l', completed_at: 'e', certified_at: 'c' } as const;
const DATED_FIELDS = Object.keys(LETTERS) as DatedField[];
const HEX_HASH = /^(?:[0-9a-f]{2})+$/;

/** `m#<import_id>#<index>`: nothing that a client chose. */
export function contributionName({ import_id, index }: Pick<Contribution, 'import_id' | 'index'>): string {
  return `${PREFIX}${import_id}#${index}`;
}

/** Whether an attribute of a learner course is a contribution. */
export function isContributionName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** JSON as text, or compressed. */
export type PackedContribution = string | Uint8Array;

/** As DynamoDB counts them. */
export const contributionBytes = (name: string, packed: PackedContribution): number =>
  Buffer.byteLength(name) + (typeof packed === 'string' ? Buffer.byteLength(packed) : packed.byteLength);

/** What an item has beside one contribution: its keys and its format, about. */
const BESIDE_BYTES = 128;
const UNIT_BYTES = 1024;
const unitsOf = (bytes: number): number => Math.ceil((BESIDE_BYTES + bytes) / UNIT_BYTES);

/** The text; or compressed, if an item then costs a write unit less. */
function packText(text: string): PackedContribution {
  const units = unitsOf(Buffer.byteLength(text));
  if (units === 1) return text;
  const compressed = compressJsonText(text);
  return unitsOf(compressed.byteLength) < units ? compressed : text;
}

/** The value of a contribution. */
export function packContribution(contribution: Contribution): PackedContribution {
  return packText(contributionText(contribution));
}

/** It, as JSON. Defaults are left out: few bytes are fewer units of each write. */
export function contributionText(contribution: Contribution): string {
  const { imported_at: importedAt, defaulted } = contribution;
  const certified = contribution.certified_at === null ? 0 : 1;
  const classes = packClasses(contribution, importedAt);
  const impliedByText = unpackClasses(classes, importedAt).defaulted_classes;
  const exam = packExam(contribution);
  const packed: Packed = {
    source: contribution.source,
    r: contribution.external_record_id,
    t: packInstant(importedAt),
    p: contribution.completion_pct,
    ...Object.fromEntries(DATED_FIELDS.flatMap((field) => packDate(contribution, field))),
    ...(defaulted.length > 0 && { d: defaulted.map((field) => LETTERS[field]).join('') }),
    ...(contribution.approved_course !== certified && { a: contribution.approved_course }),
    ...(classes !== '' && { k: classes }),
    ...(impliedByText.join() !== contribution.defaulted_classes.join() && { n: contribution.defaulted_classes }),
    ...(exam !== '' && { x: exam }),
    ...(contribution.external_ref !== null && { f: contribution.external_ref }),
    ...(contribution.replaces === true && { o: 1 }),
    h: packHash(contribution.content_hash),
  };
  return JSON.stringify(packed);
}

/** Reads the output of `packContribution`; `name` has the import and the index of the record. */
export function unpackContribution(name: string, value: unknown): Contribution {
  const packed = unpackJson(value) as Packed;
  const [import_id, index] = name.slice(PREFIX.length).split('#') as [string, string];
  const imported_at = unpackInstant(packed.t);
  const certified_at = unpackDate(packed, 'certified_at', imported_at);
  const { classes, defaulted_classes } = unpackClasses(packed.k ?? '', imported_at);
  return {
    source: packed.source,
    external_record_id: packed.r,
    import_id,
    index: Number(index),
    imported_at,
    external_ref: packed.f ?? null,
    ...unpackExam(packed.x),
    defaulted: Array.from(packed.d ?? '', fieldOf),
    defaulted_classes: packed.n ?? defaulted_classes,
    content_hash: unpackHash(packed.h),
    ...(packed.o === 1 && { replaces: true }),
    completion_pct: packed.p,
    classes,
    approved_course: packed.a ?? (certified_at === null ? 0 : 1),
    certified_at,
    started_at: unpackDate(packed, 'started_at', imported_at),
    last_activity_at: unpackDate(packed, 'last_activity_at', imported_at),
    completed_at: unpackDate(packed, 'completed_at', imported_at),
  };
}

/** Unpacks the contributions of an item of a learner course. */
export function contributionsIn(item: Item): Contribution[] {
  return Object.entries(item)
    .filter(([name]) => isContributionName(name))
    .map(([name, value]) => unpackContribution(name, value));
}

/** Marks a class whose `viewed_at` is the date of the import, because none was sent. */
const DEFAULTED = '*';

type Classes = Pick<Contribution, 'classes' | 'defaulted_classes'>;

/** Class views as text: `1001@20240102T030405Z 1002* 1003`. `*`: the import's date, by default; nothing: no date. */
function packClasses({ classes, defaulted_classes }: Classes, importedAt: Instant): string {
  const defaulted = new Set(defaulted_classes);
  return classes
    .map(({ platform_class_id: id, viewed_at }) => {
      if (viewed_at === null) return `${id}`;
      return viewed_at === importedAt && defaulted.has(id) ? `${id}${DEFAULTED}` : `${id}@${packInstant(viewed_at)}`;
    })
    .join(' ');
}

function unpackClasses(packed: string, importedAt: Instant): Classes {
  const classes = packed === '' ? [] : packed.split(' ').map((view) => unpackView(view, importedAt));
  const defaulted_classes = packed
    .split(' ')
    .filter((view) => view.endsWith(DEFAULTED))
    .map((view) => Number(view.slice(0, -1)));
  return { classes, defaulted_classes };
}

function unpackView(view: string, importedAt: Instant): ClassView {
  if (view.endsWith(DEFAULTED)) return { platform_class_id: Number(view.slice(0, -1)), viewed_at: importedAt };
  const [id, viewedAt] = view.split('@');
  return { platform_class_id: Number(id), viewed_at: viewedAt === undefined ? null : unpackInstant(viewedAt) };
}

/** A default that is the import's date needs no value; `null` is written only where absence would mean that default. */
function packDate(contribution: Contribution, field: DatedField): [string, string | null][] {
  const value = contribution[field];
  const defaulted = contribution.defaulted.includes(field);
  const impliedValue = defaulted ? contribution.imported_at : null;
  if (value === impliedValue) return [];
  return [[LETTERS[field], value === null ? null : packInstant(value)]];
}

function unpackDate({ d = '', ...packed }: Packed, field: DatedField, importedAt: string): string | null {
  const value = packed[LETTERS[field]];
  if (value === undefined) return d.includes(LETTERS[field]) ? importedAt : null;
  return value === null ? null : unpackInstant(value);
}

function fieldOf(letter: string): DatedField {
  const field = DATED_FIELDS.find((each) => LETTERS[each] === letter);
  if (field === undefined) throw new Error(`No date of a contribution is named ${letter}.`);
  return field;
}

function packExam({ assessment_status, score_pct }: Contribution): string {
  return `${assessment_status ?? ''} ${score_pct ?? ''}`.trimEnd();
}

function unpackExam(exam = ''): Pick<Contribution, 'assessment_status' | 'score_pct'> {
  const [status, score = ''] = exam.split(' ') as [string, string?];
  return {
    assessment_status: status === '' ? null : (status as AssessmentStatus),
    score_pct: score === '' ? null : Number(score),
  };
}

function packHash(hash: string): string {
  return HEX_HASH.test(hash) ? Buffer.from(hash, 'hex').toString('base64url') : `=${hash}`;
}

function unpackHash(packed: string): string {
  return packed.startsWith('=') ? packed.slice(1) : Buffer.from(packed, 'base64url').toString('hex');
}
