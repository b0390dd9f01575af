/** Rejected rows by their cause: a person reads and corrects one cause, not each of its rows. */
import { ownValue } from '../../engine/ground/own-value.ts';
import type { Said } from '../../engine/ground/codes.ts';
import { isField } from '../../engine/ground/fields.ts';
import { columnOf } from '../../engine/language/named-columns.ts';
import type { Mapping } from '../../engine/language/schema.ts';
import type { RejectedRow } from '../../engine/run/rejected-rows.ts';
import { isArchivable } from '../../wire/values.ts';
import type { IsOtherwise } from './repeats.ts';

export interface Cause {
  /** The reason of the service, which the page has words for. */
  readonly code: string;
  /** The member of the record, if the service names one. */
  readonly field: string | undefined;
  /** The cell that is wrong: its column, the position of that, and its text. */
  readonly column: string | undefined;
  readonly index: number;
  readonly value: string;
  rows: number;
  readonly line: number;
  /** As the file names them: of a person whom the platform does not know, or who is not active. */
  readonly courses: string[];
}

/** The member whose cell is wrong, where the service names none. */
const FIELDS_OF: Readonly<Record<string, readonly string[]>> = {
  user_not_found: ['user.email'],
  user_inactive: ['user.email', 'user.external_user_id'],
  external_user_id_not_mapped: ['user.external_user_id'],
  course_not_in_catalog: ['content.platform_course_id'],
  external_course_id_not_mapped: ['content.external_course_id', 'content.platform_course_id'],
  unsupported_content_type: ['content.type'],
  invalid_completion_pct: ['progress.completion_pct'],
  duplicate_external_record_id: ['external_record_id'],
};

export class Causes {
  readonly list: Cause[] = [];
  /** `cause`: its position in the list. */
  readonly rows: { file: number; line: number; cells: readonly string[]; cause: number }[] = [];
  /** Rows that say once more what an earlier row has said. */
  repeated = 0;
  /** Rows whose person or course is not on the platform, and nothing else is wrong: those that the archive keeps, if it is asked to. */
  archivable = 0;
  readonly #positions = new Map<string, number>();
  readonly #isOtherwise: IsOtherwise;
  readonly #keepsArchive: boolean;

  constructor(keepsArchive = false, isOtherwise: IsOtherwise = () => false) {
    this.#keepsArchive = keepsArchive;
    this.#isOtherwise = isOtherwise;
  }

  add(each: RejectedRow, place: Place, isListed: boolean): void {
    const found = this.causeOf(each, place);
    const isOfNobody = isArchivable(each.rejection.errors);
    if (isOfNobody) this.archivable += 1;
    if (found === undefined) {
      this.repeated += isOfNobody ? 0 : 1;
      return;
    }
    const { row } = each;
    const key = JSON.stringify([found.code, found.field, found.column, found.value]);
    const position = this.#positions.get(key) ?? this.list.length;
    const known = (this.list[position] ??= { ...found, rows: 0, line: row.line, courses: [] });
    this.#positions.set(key, position);
    known.rows += 1;
    if (OF_PEOPLE.has(found.code)) noteCourse(known.courses, row.cells, place);
    const cells = row.cells ?? [JSON.stringify(row.value)];
    if (isListed) this.rows.push({ file: place.file, line: row.line, cells, cause: position });
  }

  /** `undefined` for a row that says once more what an earlier one has said, or that the archive keeps. */
  causeOf(each: RejectedRow, place: Place): WrongCell | undefined {
    const { row, rejection } = each;
    if (this.#keepsArchive && isArchivable(rejection.errors)) return undefined;
    const isRepeat = rejection.errors[0]?.said?.code === 'record_repeated';
    if (isRepeat && !this.#isOtherwise(place.path, row.line)) return undefined;
    return wrongCell(rejection.errors, row.cells ?? [], place);
  }
}

function noteCourse(courses: string[], cells: readonly string[] = [], { columns, mapping }: Place): void {
  const course = cells[columns.indexOf(courseColumn(mapping) ?? '')];
  if (course !== undefined && !courses.includes(course)) courses.push(course);
}

const OF_PEOPLE: ReadonlySet<string> = new Set(['user_not_found', 'user_inactive', 'external_user_id_not_mapped']);

const courseColumn = (mapping: Mapping | undefined): string | undefined =>
  columnIn(mapping, 'content.platform_course_id') ?? columnIn(mapping, 'content.external_course_id');

export interface Place {
  readonly file: number;
  readonly path: string;
  /** Empty for JSON. */
  readonly columns: readonly string[];
  readonly mapping: Mapping | undefined;
}

/** The code of the service, as the page has words for it: an id that cannot be one of the platform is a course or a person that it does not know. */
export function plainCode(code: string, field: string | undefined): string {
  if (code !== 'invalid_record') return code;
  if (field?.startsWith('content.') === true) return 'external_course_id_not_mapped';
  return field === 'user.email' ? 'user_not_found' : code;
}

type Errors = RejectedRow['rejection']['errors'];

type WrongCell = Omit<Cause, 'rows' | 'line' | 'courses'>;

const ofNoCell = (code: string, value = ''): WrongCell => ({
  code,
  field: undefined,
  column: undefined,
  index: -1,
  value,
});

function wrongCell([first]: Errors, cells: readonly string[], place: Place): WrongCell {
  if (first === undefined) return ofNoCell('');
  const { error_code: code, said, field: named } = first;
  if (said?.code === 'record_repeated') return ofNoCell('repeated_otherwise', String(said.params.line));
  if (code === 'unconfirmed_kind' && said !== undefined) return undecided(said, cells, place.columns);
  const { field, column } = cellOf(
    [...(named === undefined ? [] : [named]), ...(ownValue(FIELDS_OF, code) ?? [])],
    place,
  );
  const index = column === undefined ? -1 : place.columns.indexOf(column);
  const value = cells[index] ?? '';
  return { code: codeOf(code, field, value), field, column, index, value };
}

/** An empty cell is no course or person that the platform does not know. */
const codeOf = (code: string, field: string | undefined, value: string): string =>
  value === '' ? code : plainCode(code, field);

/** The first of some members that a column of the file gives, else the first. */
function cellOf(fields: readonly string[], { mapping, columns }: Place): Pick<WrongCell, 'field' | 'column'> {
  const named = fields.map((field) => ({ field, column: columnIn(mapping, field) }));
  const own = named.find(({ column }) => column !== undefined && columns.includes(column));
  return own ?? named[0] ?? { field: undefined, column: undefined };
}

function columnIn(mapping: Mapping | undefined, field: string): string | undefined {
  const given = isField(field) ? mapping?.record[field] : undefined;
  return [given]
    .flat()
    .map(columnOf)
    .find((name) => name !== undefined);
}

/** The row of a kind that nobody has decided: a cell that is no date is named as that. */
function undecided(said: Said, cells: readonly string[], columns: readonly string[]): WrongCell {
  if (said.code === 'pair_undecided') return ofNoCell(said.code);
  const [odd] = said.code === 'kind_undecided' ? said.params.odd : [];
  if (odd === undefined) return ofNoCell('unconfirmed_kind', whatOf(said));
  const index = columns.indexOf(odd.column);
  const code = odd.wanted === 'date' ? 'invalid_date_format' : 'invalid_completion_pct';
  return { code, field: undefined, column: odd.column, index, value: cells[index] ?? '' };
}

/** What nobody has decided: a kind, or whose an address is. */
function whatOf({ code, params }: Said): string {
  if (code === 'kind_undecided')
    return Object.entries(params.values)
      .map(([name, text]) => `${name} = ${text}`)
      .join(', ');
  if (code !== 'address_undecided') return '';
  return `${params.address} (${params.names.join('; ')})`;
}
