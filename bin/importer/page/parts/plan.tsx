/** A plan as its maker saw it, what happened since, and what this person may decide. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call, NEEDS_SECOND, useStore } from '../state/store.ts';
import { TEXT, whenOf } from '../texts/index.ts';
import type { MigrationPage } from '../worker/migrations.ts';
import type { PlanPage } from '../worker/plan.ts';
import { AskAnother } from './ask-another.tsx';
import { Confirm } from './confirm.tsx';
import { Button, Card, Input, Legend, Notice } from './controls.tsx';
import { useTitles } from './course-picker.tsx';
import { courseOf, personOf, progressOf } from './record-words.ts';
import { RejectedRecords } from './rejected-records.tsx';
import { Table } from './table.tsx';
import { Busy, Doing, type Task, useTask } from './task.tsx';
import { hasOf, pairText, Written } from './written.tsx';

const text = TEXT.migrations;

interface Props {
  readonly page: MigrationPage;
  readonly task: Task;
  readonly then: (step: () => Promise<unknown>) => void;
}

interface PlanProps extends Props {
  /** Facts of the migration. */
  readonly beside: ComponentChildren;
}

export function Plan({ page, task, then, beside }: PlanProps) {
  const { plan, run_id } = page.migration;
  const [seen, setSeen] = useState<PlanPage | undefined>();
  const { meters } = useStore();
  const reading = useTask(async () => setSeen(await call('planPage', run_id)));
  const titles = useTitles();
  if (plan === null) return null;
  const { counts } = plan;
  return (
    <>
      <div class="cards">
        <Card title={text.plan}>
          <p class="verdict">{text.verdict(counts.total - counts.failed, counts.total)}</p>
          <Legend
            counts={[
              [text.fresh, counts.applied],
              [text.changes, counts.updated],
              [text.same, counts.unchanged],
              [TEXT.sorted.archived, counts.archived],
              [TEXT.result.rejected, counts.failed - counts.archived],
            ]}
          />
          {seen !== undefined && <Since page={page} seen={seen} />}
          <Decision page={page} task={task} then={then} isSeen={seen !== undefined} />
        </Card>
        {beside}
      </div>
      <Busy isBusy={reading.isBusy} text={text.readingPlan(meters.read ?? 0, counts.total)} />
      <Doing task={reading} text={null} />
      {seen !== undefined && (
        <>
          <Written report={{ changes: seen.changes, run_id: null }} isPlan />
          <Card title={text.someRecords}>
            {seen.read < counts.total && <p class="hint">{text.firstOf(seen.read, counts.total)}</p>}
            <Table
              caption={text.someRecords}
              head={[TEXT.review.person, TEXT.check.course, TEXT.check.becomes, TEXT.check.has]}
              rows={seen.samples}
              cells={({ record, before, after }) => [
                personOf(record),
                courseOf(record, titles),
                progressOf(record),
                pairText(hasOf(before), hasOf(after)),
              ]}
            />
          </Card>
          <RejectedRecords causes={seen.causes} titles={titles} />
        </>
      )}
    </>
  );
}

/** What the plan does not show, because it happened later. */
function Since({ page: { migration }, seen: { since } }: { readonly page: MigrationPage; readonly seen: PlanPage }) {
  const { plan, updated_at } = migration;
  const isChanged = plan !== null && updated_at !== null && updated_at > plan.created_at;
  const points = [
    ...(isChanged ? [text.draftChanged(whenOf(updated_at))] : []),
    ...(since.imported > 0 ? [text.importedSince(since.imported)] : []),
    ...(since.known > 0 ? [text.knownSince(since.known)] : []),
  ];
  if (points.length === 0) return <p class="hint">{text.nothingSince}</p>;
  return <Notice kind="warning" title={text.sinceTitle} points={points} />;
}

/** Approving and applying. Where a second person must approve, its maker cannot. */
function Decision({ page, task, then, isSeen }: Props & { readonly isSeen: boolean }) {
  const { plan, run_id, state } = page.migration;
  const { account } = useStore();
  const [comment, setComment] = useState('');
  if (plan === null) return null;
  const isMine = plan.created_by !== null && plan.created_by === account?.id;
  const isApproved = state === 'approved';
  const writable = plan.counts.total - plan.counts.failed;
  const isDisabled = task.isBusy || !isSeen;
  const apply = (): void => then(() => call('applyPlan', run_id, plan.plan_digest));
  if (NEEDS_SECOND && !isApproved && isMine) return <AskAnother run_id={run_id} />;
  return (
    <>
      {NEEDS_SECOND && !isApproved && <p>{text.mayApprove(page.names.planned ?? text.somebody)}</p>}
      <div class="actions">
        {(isApproved || !NEEDS_SECOND) && (
          <Button
            text={TEXT.import.action(writable)}
            kind="main"
            disabled={isDisabled || writable + plan.counts.archived === 0}
            onClick={apply}
          />
        )}
        {!isApproved && (
          <Confirm
            text={text.approve}
            kind={NEEDS_SECOND ? 'main' : undefined}
            question={text.approveHint(writable)}
            yes={text.approveYes(writable)}
            disabled={isDisabled}
            onYes={() => then(() => call('approvePlan', run_id, plan.plan_digest, comment.trim()))}
          >
            <Input label={text.comment} maxLength={1000} value={comment} onInput={setComment} />
          </Confirm>
        )}
        <Withdraw page={page} task={task} then={then} />
      </div>
    </>
  );
}

/** A draft is deleted with its plan; a plan of what the archive keeps is withdrawn. */
const Withdraw = ({ page: { migration }, task, then }: Props) =>
  migration.status === 'draft' ? null : (
    <Button
      text={text.withdraw}
      kind="plain"
      disabled={task.isBusy}
      onClick={() => then(() => call('withdrawPlan', migration.run_id))}
    />
  );
