import { Button, Legend, Notice } from '../parts/controls.tsx';
import { Rejected } from '../parts/rejected.tsx';
import { Busy, StepForm, useTask } from '../parts/task.tsx';
import { Doubts, Written } from '../parts/written.tsx';
import { go } from '../state/address.ts';
import { call, type State, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import type { Report } from '../worker/run.ts';

const text = TEXT.check;

/** The dry run: nothing is written before a person has seen what would be. It runs as soon as the screen opens. */
export function CheckScreen() {
  const { checked, corrected, meters, catalog } = useStore();
  const isStale = Object.keys(corrected).length > 0;
  const check = async (): Promise<void> => {
    update({ meters: {} });
    if (catalog.length === 0) update({ catalog: await call('courseTitles') });
    update({ checked: await call('check'), corrected: {}, announcement: text.would });
  };
  const task = useTask(checked === undefined ? check : undefined);
  const count = (meters.process ?? 0) === 0 ? text.reading(meters.read ?? 0) : text.sending(meters.process ?? 0);
  const isDone = checked !== undefined && !task.isBusy;
  return (
    <StepForm
      task={task}
      onSubmit={() => go('import')}
      isDisabled={!isDone || isStale || writable(checked) === 0}
      open={isDone ? verdictOf(checked) : undefined}
      others={<Button text={TEXT.screens.check} kind={isStale ? 'main' : undefined} onClick={() => task.run(check)} />}
    >
      <Busy isBusy={task.isBusy} text={count} />
      {isDone && (
        <>
          <p class="hint">{text.intro}</p>
          <Verdict report={checked} />
          <Doubts report={checked} />
          <Rejected report={checked} canCorrect />
          <Written report={checked} />
        </>
      )}
    </StepForm>
  );
}

/** All rows of the files. */
export const rowsOf = ({ summary, skipped, joined }: Report): number => summary.rows + skipped + joined;
export const verdictOf = (report: Report): string =>
  text.verdict(writable(report), rowsOf(report), report.summary.unit);

export const writable = (report: State['checked']): number =>
  report === undefined ? 0 : report.summary.rows - report.summary.rejected;

/** In one line: what is new, what changes, what is there already, what is left out, and what is rejected. */
function Verdict({ report }: { readonly report: Report }) {
  const { changes, skipped, joined, summary } = report;
  const isAgreed = summary.rejected === 0 && changes.fresh + changes.changed === 0 && changes.same > 0;
  return (
    <>
      <p class="verdict">{verdictOf(report)}</p>
      <Legend
        counts={[
          [text.fresh, changes.fresh],
          [text.changes, changes.changed],
          [text.same, changes.same],
          [text.joined, joined],
          [TEXT.review.states.leave_out, skipped],
          [TEXT.result.rejected, summary.rejected],
        ]}
      />
      {isAgreed && <Notice kind="success">{text.nothingChanges(rowsOf(report))}</Notice>}
      {writable(report) === 0 && <Notice kind="warning">{text.nothing}</Notice>}
    </>
  );
}
