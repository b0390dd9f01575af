/** Import: what the platform says of every row, the rows that need a person, and the button that imports. */
import { useEffect, useState } from 'preact/hooks';
import { shown } from '../../engine/ground/text.ts';
import { AskAnother } from '../parts/ask-another.tsx';
import { Causes } from '../parts/causes.tsx';
import { Button, CheckBox, Notice } from '../parts/controls.tsx';
import { loadTitles } from '../parts/course-picker.tsx';
import { Revert } from '../parts/revert.tsx';
import { SortedRows } from '../parts/sorted.tsx';
import { Busy, Doing, submitted, type Task, useEvery, useTask, useTitle } from '../parts/task.tsx';
import { Doubts, Samples, Written } from '../parts/written.tsx';
import { go, hrefOf } from '../state/address.ts';
import { call, current, MAILS, NEEDS_SECOND, UNCHECKED, update, useStore } from '../state/store.ts';
import { lasting, TEXT, zoneName } from '../texts/index.ts';
import type { Report } from '../worker/run.ts';

const { check: CHECK, import: text, rejected: REJECTED } = TEXT;

/** The dry run: nothing is written before a person has seen what would be. */
async function check(): Promise<void> {
  update({ meters: {} });
  await loadTitles();
  const checked = await call('check');
  update({ ...UNCHECKED, checked, announcement: CHECK.verdict(readyRows(checked), checked.rows) });
  const unknown = checked.causes.filter(({ code }) => code.includes('user')).map(({ value }) => value);
  if (unknown.length > 0 && checked.canMatch)
    void call('suggestPeople', unknown)
      .then((suggested) => update({ suggested }))
      .catch(() => {});
}

async function start(): Promise<void> {
  update({ isImporting: true, meters: {}, stopped: undefined });
  try {
    const started = await call('startImport', NEEDS_SECOND);
    if ('done' in started) {
      update({ imported: started.done, announcement: TEXT.result.counts });
      go('result');
    } else update(started);
  } finally {
    update({ isImporting: false });
  }
}

/** Rows that need nobody any more. */
const readyRows = ({ rows, sorted }: Report): number => rows - sorted.failed;

const recordsOf = ({ summary }: Report): number => summary.rows - summary.rejected;
/** An import that the archive keeps something of writes that, too. */
const keptOf = (report: Report | undefined): number => report?.sorted.archived ?? 0;

export function ImportScreen() {
  const { checked, meters, isImporting } = useStore();
  const task = useTask(checked === undefined ? check : undefined);
  const isChecking = task.isBusy && !isImporting;
  const busy = (meters.process ?? 0) === 0 ? CHECK.reading(meters.read ?? 0) : CHECK.sending(meters.process ?? 0);
  const isShown = checked !== undefined && !isChecking;
  return (
    <form class="import" noValidate onSubmit={submitted(() => task.run(isOpen() ? check : start))}>
      <Busy isBusy={isChecking} text={busy} />
      {isChecking && <div class="skeleton bar" aria-hidden="true" />}
      {isShown && <Sum report={checked} />}
      <div class="columns">
        <div>
          {isChecking && <Skeleton />}
          {isShown && (
            <>
              <Causes report={checked} canAct />
              <Doubts report={checked} />
              <Samples report={checked} />
              <Written report={checked} />
            </>
          )}
        </div>
        <aside class="card">
          <Before task={task} isReady={isShown} />
        </aside>
      </div>
    </form>
  );
}

const Skeleton = () => (
  <div aria-hidden="true">
    <div class="skeleton" />
    <div class="skeleton" />
  </div>
);

/** What was decided since is not checked, or the check has failed. */
const isOpen = (): boolean => current().isStale || current().checked === undefined;

function Sum({ report }: { readonly report: Report }) {
  const { sorted, rows } = report;
  const isAgreed = sorted.failed === 0 && sorted.written === 0 && sorted.unchanged > 0;
  return (
    <section>
      <p class="verdict">{CHECK.verdict(readyRows(report), rows)}</p>
      <p class="hint">{CHECK.intro}</p>
      <SortedRows report={report} />
      {isAgreed && <Notice kind="success">{CHECK.nothingChanges(rows)}</Notice>}
    </section>
  );
}

interface BeforeProps {
  readonly task: Task;
  readonly isReady: boolean;
}

/** What the button takes, how far it is, and the button. */
function Before({ task, isReady }: BeforeProps) {
  const { checked, isImporting, asked } = useStore();
  const approval = useApproval(asked, isImporting);
  return (
    <>
      <h2>{checked === undefined ? TEXT.screens.import : text.action(recordsOf(checked))}</h2>
      <p class="hint">{text.intro}</p>
      {checked !== undefined && <Takes report={checked} />}
      {checked !== undefined && <Archive report={checked} />}
      {checked !== undefined && <Mail />}
      {isImporting && <Running />}
      <Cancelled />
      {!isImporting && <Go task={task} isReady={isReady} approval={approval} />}
    </>
  );
}

/** Asked wherever the archive can keep something, and never answered by itself. */
function Archive({ report: { archivable } }: { readonly report: Report }) {
  const { keepsArchive, isImporting } = useStore();
  if (archivable === 0) return null;
  const answer = (keeps: boolean): void => {
    update({ keepsArchive: keeps, isStale: true });
    void call('keepInArchive', keeps);
  };
  return <CheckBox label={text.archive(archivable)} checked={keepsArchive} disabled={isImporting} onChange={answer} />;
}

/** What becomes of the migration, by mail: the tab need not stay open. */
function Mail() {
  const { draft, isImporting } = useStore();
  if (!MAILS) return null;
  const answer = (isWanted: boolean): void => void call('mailMe', isWanted);
  return <CheckBox label={text.mail} checked={draft?.isMailed ?? false} disabled={isImporting} onChange={answer} />;
}

/** Cancelled is no error: what was written stays, unless the person takes it back. */
function Cancelled() {
  const { stopped } = useStore();
  if (stopped === undefined) return null;
  return (
    <>
      <Notice kind="note" title={text.cancelled(stopped.written, stopped.total)}>
        <p>{text.cancelledHint}</p>
      </Notice>
      {stopped.written > 0 && <Revert run_id={stopped.run_id} />}
    </>
  );
}

const Action = ({ name, isOff }: { readonly name: string; readonly isOff: boolean }) => (
  <button type="submit" class="main" id="action" disabled={isOff}>
    {name}
  </button>
);

interface GoProps extends BeforeProps {
  readonly approval: Approval;
}

/** The button, and what keeps it from being pressed. */
function Go({ task, isReady, approval }: GoProps) {
  const { checked, isStale, asked } = useStore();
  const hasFailed = checked === undefined && task.problem !== undefined;
  return (
    <div class="go">
      {asked !== undefined && <Asked run_id={asked} approval={approval} />}
      {isStale && <p role="status">{REJECTED.stale}</p>}
      {isReady && !isStale && <Hint approval={approval} />}
      <Doing task={task} text={null} />
      {isStale || hasFailed ? (
        <Action name={REJECTED.again} isOff={task.isBusy} />
      ) : (
        <ImportAction isReady={isReady && !task.isBusy} approval={approval} />
      )}
    </div>
  );
}

const needsApproval = (approval: Approval): boolean => NEEDS_SECOND && approval !== 'approved';

function Hint({ approval }: Pick<GoProps, 'approval'>) {
  const { checked, asked } = useStore();
  if (checked !== undefined && recordsOf(checked) + keptOf(checked) === 0)
    return <Notice kind="warning">{CHECK.nothing}</Notice>;
  return needsApproval(approval) && asked === undefined ? <p class="hint">{text.second}</p> : null;
}

/** A plan that waits is asked for already. */
function ImportAction({ isReady, approval }: Pick<GoProps, 'isReady' | 'approval'>) {
  const { checked, asked, stopped } = useStore();
  const records = checked === undefined ? 0 : recordsOf(checked);
  if (asked !== undefined && approval === 'waiting') return null;
  const importing = checked === undefined ? TEXT.screens.import : text.action(records);
  const first = needsApproval(approval) ? text.ask : importing;
  return (
    <Action name={stopped === undefined ? first : text.resume} isOff={!isReady || records + keptOf(checked) === 0} />
  );
}

/** How long it takes, as long as the check has; and what it is read from. */
function Takes({ report: { sentMs, preview } }: { readonly report: Report }) {
  const { files } = useStore();
  const { count, zone } = preview.local_times;
  return (
    <dl class="facts">
      <dt>{text.takes}</dt>
      <dd>{lasting(sentMs)}</dd>
      {count > 0 && (
        <>
          <dt>{TEXT.review.zone}</dt>
          <dd>
            {shown(zoneName(zone))} <a href={hrefOf('review')}>{TEXT.change}</a>
          </dd>
        </>
      )}
      <dt>{TEXT.screens.file}</dt>
      <dd>{files.map(({ name }) => shown(name)).join(', ')}</dd>
    </dl>
  );
}

/** How far it is, how long it still takes at the rate so far, and the way to end it. The title says it, too. */
function Running() {
  const { meters } = useStore();
  const [since] = useState(() => performance.now());
  const [isCancelling, setCancelling] = useState(false);
  const { total, process: done = 0 } = meters;
  const leftMs = (performance.now() - since) * ((total ?? 0) / Math.max(done, 1) - 1);
  const said = total === undefined ? text.planning : text.processed(done, total);
  useTitle(said);
  const cancel = (): void => {
    setCancelling(true);
    void call('cancelImport').catch(() => setCancelling(false));
  };
  return (
    <div class="running">
      <progress aria-label={text.progress} max={total ?? 1} value={total === undefined ? 0 : done} />
      <p>{done > 0 && done < (total ?? 0) ? `${said} · ${text.left(lasting(leftMs))}` : said}</p>
      <p class="hint" role="status">
        {isCancelling ? text.cancelling : total !== undefined && text.closing}
      </p>
      {total !== undefined && <Button text={text.cancel} disabled={isCancelling} onClick={cancel} />}
    </div>
  );
}

const ASK_EVERY_MS = 5000;

type Approval = Awaited<ReturnType<typeof call<'askedPlan'>>>;

/** @returns what the plan of a run is by now, asked again while it waits */
function useApproval(run_id: string | undefined, isImporting: boolean): Approval {
  const [found, setFound] = useState<Approval>('waiting');
  const isAsked = run_id !== undefined && !isImporting;
  const ask = async (): Promise<void> =>
    setFound(await call('askedPlan', run_id ?? '').catch(() => 'waiting' as const));
  useEffect(() => {
    setFound('waiting');
    if (isAsked) void ask();
  }, [isAsked]);
  useEvery(ASK_EVERY_MS, ask, isAsked && found === 'waiting');
  return found;
}

/** That a second administrator has to approve the plan, where they find it, and that they have. */
function Asked({ run_id, approval }: { readonly run_id: string; readonly approval: Approval }) {
  if (approval === 'approved') return <Notice kind="success">{text.approved}</Notice>;
  if (approval === 'closed') return <Notice kind="warning">{text.closed}</Notice>;
  return <AskAnother run_id={run_id} />;
}
