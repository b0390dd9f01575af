import { useState } from 'preact/hooks';
import type { Reconciliation } from '../../importer/reconcile/page.ts';
import { useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import { download } from './download.ts';
import { Notice } from './notice.tsx';
import { Figures, Table } from './table.tsx';
import { Busy, Problem, useTask } from './task.tsx';
import { printAll } from './virtual-rows.ts';

const text = TEXT.reconcile;

type Found = Reconciliation & { readonly html: string };

/** Compares the files with the platform: on the screen, to print, and as the page of the command that a person signs. */
export function Reconcile() {
  const { meters } = useStore();
  const task = useTask();
  const [found, setFound] = useState<Found | undefined>();
  const compare = (): void => task.run(async () => setFound(await call('reconcile')));
  return (
    <section class="card">
      <h2>{TEXT.result.reconcile}</h2>
      {task.isBusy && <Busy text={text.working(meters.process ?? 0)} />}
      <Problem task={task} />
      {found === undefined ? (
        <button type="button" disabled={task.isBusy} onClick={compare}>
          {text.action}
        </button>
      ) : (
        <>
          <Compared {...found} />
          <div class="actions">
            <button type="button" onClick={printAll}>
              {text.print}
            </button>
            <button
              type="button"
              class="plain"
              onClick={() => download('reconciliation.html', found.html, 'text/html')}
            >
              {text.download}
            </button>
          </div>
        </>
      )}
    </section>
  );
}

function Compared({ counts, rows, findings }: Reconciliation) {
  const open = counts.different + counts.missing;
  return (
    <>
      <Notice kind={open === 0 ? 'success' : 'warning'}>{open === 0 ? text.complete : text.open(open, rows)}</Notice>
      <Figures caption={TEXT.result.reconcile} figures={counts} />
      {findings.length > 0 && (
        <Table
          caption={text.findings}
          showsCaption
          hasRowNames={false}
          head={[text.place, text.learner, text.course, text.state, text.why]}
          rows={findings}
          cells={({ file, line, learner, course, state, reason = '' }) => [
            `${file}, ${line}`,
            learner ?? '',
            String(course ?? ''),
            state,
            reason,
          ]}
        />
      )}
    </>
  );
}
