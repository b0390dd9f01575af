/** Evidence of a run: a reason signs it, and what was signed is shown as a page to print. */
import { useState } from 'preact/hooks';
import { filled } from '../../engine/evidence/words.ts';
import { shown } from '../../engine/text.ts';
import { go } from '../state/address.ts';
import { current, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { dayOf, momentOf, TEXT } from '../texts/index.ts';
import type { EvidenceReport, NotMoved } from '../worker/evidence.ts';
import { download } from './download.ts';
import { Field } from './field.tsx';
import { Notice } from './notice.tsx';
import { Figures, Table } from './table.tsx';
import { Busy, Problem, useTask } from './task.tsx';

const text = TEXT.evidence;

/** One field: why. What was signed is then shown on a screen of its own. */
export function SignEvidence({ run_id }: { readonly run_id: string }) {
  const task = useTask();
  const [reason, setReason] = useState('');
  const [isOff, setOff] = useState(false);
  const sign = (): void =>
    task.run(async () => {
      if (reason.trim() === '') throw new Error(text.needsReason);
      if (current().catalog.length === 0) update({ catalog: await call('courseTitles') });
      const evidence = await call('signRun', run_id, reason.trim());
      if (evidence === undefined) return setOff(true);
      update({ evidence, announcement: text.signed });
      go('evidence');
    });
  const onEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    sign();
  };
  return (
    <section class="card" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p class="hint">{text.hint}</p>
      {isOff && <Notice kind="note">{text.off}</Notice>}
      <Problem task={task} />
      {task.isBusy && <Busy text={text.signing} />}
      <Field label={text.reason}>
        <input
          maxLength={1000}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
          onKeyDown={onEnter}
        />
      </Field>
      <div class="actions">
        <button type="button" disabled={task.isBusy} onClick={sign}>
          {text.sign}
        </button>
      </div>
    </section>
  );
}

/** What was signed, how it was checked, and what it cannot show. */
export function EvidencePage({ report }: { readonly report: EvidenceReport }) {
  const { holds, payload, kid, findings, keysAreInside, imports, moved, notMoved, files } = report;
  return (
    <article class="evidence">
      <Notice kind={holds ? 'success' : 'error'}>{holds ? text.holds : text.fails}</Notice>
      <div class="actions">
        {files.map(({ name, content }, index) => (
          <button type="button" class={index === 0 ? 'main' : undefined} onClick={() => download(name, content)}>
            {index === 0 ? text.save : text.saveResults}
          </button>
        ))}
        <button type="button" onClick={() => print()}>
          {text.print}
        </button>
      </div>
      {payload !== undefined && (
        <section class="card">
          <h2>{text.of(shown(payload.run_id))}</h2>
          <Table
            caption={text.facts}
            head={[]}
            cells={(fact) => fact}
            rows={[
              [text.company, payload.company_id],
              [text.signedBy, `${payload.signed_by.email} (${TEXT.runs.userId(payload.signed_by.user_id)})`],
              [text.signedAt, momentOf(new Date(payload.iat * 1000).toISOString())],
              [text.reason, payload.reason],
              [text.issuer, `${payload.iss}, ${payload.version}`],
              [text.key, kid ?? ''],
              [text.digest, payload.imports_digest],
            ]}
          />
          <Figures
            caption={TEXT.runs.counts}
            figures={[
              [TEXT.runs.total, payload.counts['total'] ?? 0],
              [TEXT.runs.imported, payload.counts['succeeded'] ?? 0],
              [TEXT.runs.rejected, payload.counts['failed'] ?? 0],
            ]}
          />
        </section>
      )}
      {moved !== undefined && <MovedTables moved={moved} />}
      {notMoved.length > 0 && (
        <section class="card">
          <h2>{text.notMoved}</h2>
          <Table
            caption={text.notMoved}
            head={[TEXT.rejected.why, TEXT.runs.total, text.source]}
            rows={notMoved}
            cells={(each) => [whyOf(each), each.count, each.isStated ? text.ofStatement : text.ofResults]}
          />
        </section>
      )}
      <section class="card">
        <h2>{text.checked}</h2>
        <ul class="findings">
          {findings.map(({ status, code, values }) => (
            <li class={status}>
              <strong>{text.statuses[status]}</strong> {shown(filled(text.findings[code], values))}
            </li>
          ))}
        </ul>
        {keysAreInside && <p>{text.keysInside}</p>}
        <h3>{text.limitsTitle}</h3>
        <ul>
          {text.limits.map((limit) => (
            <li>{limit}</li>
          ))}
        </ul>
      </section>
      {payload?.statement !== undefined && (
        <section class="card">
          <h2>{text.statement}</h2>
          <pre>{shownJson(payload.statement)}</pre>
        </section>
      )}
      {imports.length > 0 && (
        <section class="card">
          <h2>{text.imports}</h2>
          <Table
            caption={text.imports}
            head={[text.import, text.accepted, TEXT.runs.total, text.recordsDigest, text.resultsDigest]}
            rows={imports}
            cells={({ import_id, created_at, counts, records_digest, results_digest }) => [
              import_id,
              dayOf(created_at),
              counts.total,
              records_digest ?? '–',
              results_digest ?? '–',
            ]}
          />
        </section>
      )}
    </article>
  );
}

function whyOf({ code, reason }: NotMoved): string {
  if (code === 'left out') return reason === undefined ? text.skipped : text.leftOut(shown(reason));
  return TEXT.rejected.reasons[code]?.() ?? TEXT.rejected.other;
}

const shownJson = (value: unknown): string => JSON.stringify(value, undefined, 2).split('\n').map(shown).join('\n');

function MovedTables({ moved: { courses, years } }: { readonly moved: NonNullable<EvidenceReport['moved']> }) {
  const { catalog } = useStore();
  const titles = new Map(catalog.map(({ platform_course_id, title }) => [platform_course_id, title]));
  return (
    <section class="card">
      <h2>{text.moved}</h2>
      <div class="cards">
        <Table
          caption={text.perCourse}
          showsCaption
          head={[TEXT.check.course, TEXT.runs.total, TEXT.check.completed, TEXT.check.certified]}
          rows={courses}
          cells={({ course, records, completed, certified }) => [
            titles.get(course) ?? String(course),
            records,
            completed,
            certified,
          ]}
        />
        {years.length > 0 && (
          <Table
            caption={text.perYear}
            showsCaption
            head={[TEXT.check.year, TEXT.check.completed]}
            rows={years}
            cells={(each) => each}
          />
        )}
      </div>
    </section>
  );
}
