/** The questions about the whole file, each with its answers. */
import { SHEET_COLUMN } from '../../engine/ground/columns.ts';
import { shown } from '../../engine/ground/text.ts';
import type { Choices, Findings } from '../../engine/language/findings.ts';
import { columnName, TEXT } from '../texts/index.ts';
import { Button, Notice } from './controls.tsx';
import { changeChoices } from './facts.tsx';
import { Doing, useTask } from './task.tsx';

const text = TEXT.review;

export interface Question {
  readonly asked: string;
  readonly answers: readonly (readonly [text: string, change: Choices])[];
}

export const named = (columns: readonly string[]): string => columns.map(columnName).join(', ');

export const inState = ({ choices }: Findings, column: string, isIn: boolean): Choices => ({
  state: { ...choices.state, [column]: isIn },
});

/** Empty cells below a text, names of sheets, or the numbers of a matrix. */
function shapeQuestion({ sheets, learner, course, base }: Findings): Question {
  const ask = (asked: string, yes: string, no: string): Question => {
    return { asked, answers: Object.entries({ [yes]: { shape: true }, [no]: { shape: false } }) };
  };
  const read = named(sheets.filter(({ isImported }) => isImported).map(({ name }) => name));
  const ofSheets = [
    ...(course.column === SHEET_COLUMN ? [text.sheetCourses(read)] : []),
    ...(learner.column === SHEET_COLUMN ? [text.sheetLearners(read)] : []),
  ];
  if (base.fill_down !== undefined)
    return ask([text.fillDown(named(base.fill_down)), ...ofSheets].join(' '), text.fillDownYes, text.fillDownNo);
  return ofSheets.length > 0
    ? ask(ofSheets.join(' '), text.sheetsYes, text.sheetsNo)
    : ask(text.numbers, text.numbersYes, text.numbersNo);
}

/** Empty cells below a text, columns that may name a part of a course, or that make too many kinds: a person says what they are. */
export function questionOf(findings: Findings): Question | undefined {
  const { freeText, parts, isShapeOpen, fractions, shared, choices } = findings;
  if (isShapeOpen) return shapeQuestion(findings);
  const fraction = fractions.find(({ isOpen }) => isOpen);
  const { samples: [sample] = [] } = fraction ?? {};
  if (fraction !== undefined && sample !== undefined) {
    const choose = (is: boolean): Choices => ({ fractions: { ...choices.fractions, [fraction.column]: is } });
    return {
      asked: text.fractions(columnName(fraction.column)),
      answers: [
        [
          text.fractionsYes(fraction.samples.map((each) => `${each.text} → ${each.percent} %`).join(', ')),
          choose(true),
        ],
        [text.fractionsNo(sample.text), choose(false)],
      ],
    };
  }
  if (shared.length > 0) {
    const all = (becomes: 'import' | 'leave_out'): Choices => ({
      shared: { ...choices.shared, ...Object.fromEntries(shared.map((each) => [each.text, becomes])) },
    });
    return {
      asked: text.shared(shared.map((each) => `${shown(each.text)} (${named(each.names)})`).join('; ')),
      answers: [
        [text.sharedNo, all('leave_out')],
        [text.sharedYes, all('import')],
      ],
    };
  }
  if (parts.length > 0)
    return {
      asked: text.parts(named(parts)),
      answers: [
        [text.wholeCourse, { whole_course: true }],
        ...parts.map((part) => [text.byPart(columnName(part)), inState(findings, part, true)] as const),
      ],
    };
  if (freeText.length === 0) return undefined;
  return {
    asked: text.freeText(named(freeText)),
    answers: freeText.map((column) => [text.putOut(columnName(column)), inState(findings, column, false)]),
  };
}

export function Asked({ asked, answers, kind }: Question & { readonly kind: 'warning' | 'note' }) {
  const task = useTask();
  return (
    <Notice kind={kind}>
      <p>{asked}</p>
      <div class="actions">
        {answers.map(([answer, change]) => (
          <Button text={answer} onClick={() => changeChoices(task, change)} />
        ))}
      </div>
      <Doing task={task} text={null} />
    </Notice>
  );
}
