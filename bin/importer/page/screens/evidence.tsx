/** Evidence of a run: a reason signs it, and what was signed is shown as a page to print. */
import { ownValue } from '../../engine/ground/own-value.ts';
import { useState } from 'preact/hooks';
import { EVIDENCE_LIMITS } from '../../engine/evidence/findings.ts';
import type { EvidencePayload, EvidencePlan } from '../../engine/evidence/jws.ts';
import { shown } from '../../engine/ground/text.ts';
import { go, hrefOf } from '../state/address.ts';
import { call, update, useStore } from '../state/store.ts';
import { dayOf, momentOf, sentenceOf, TEXT, zoneName } from '../texts/index.ts';
import type { EvidenceReport, NotMoved } from '../worker/evidence.ts';
import { Button, Card, download, DropArea, Input, Notice } from '../parts/controls.tsx';
import { loadTitles, useTitles } from '../parts/course-picker.tsx';
import { Pairs, Table, TableCard } from '../parts/table.tsx';
import { Doing, useTask } from '../parts/task.tsx';
import { RunCounts } from '../parts/written.tsx';

const text = TEXT.evidence;
const COMPLETED = TEXT.review.states.completed;

/** One field: why. What was signed is then shown on a screen of its own. */
export function SignEvidence({ run_id }: { readonly run_id: string }) {
  const task = useTask();
  const [reason, setReason] = useState('');
  const [isOff, setOff] = useState(false);
  const sign = (): void =>
    task.run(async () => {
      if (reason.trim() === '') throw new Error(text.needsReason);
      await loadTitles();
      const evidence = await call('signRun', run_id, reason.trim());
      if (evidence === undefined) return setOff(true);
      update({ evidence, announcement: text.signed });
      go('evidence');
    });
  return (
    <Card title={text.title}>
      <p class="hint">{text.hint}</p>
      {isOff && <Notice kind="note">{text.off}</Notice>}
      <Doing task={task} text={text.signing} />
      <Input label={text.reason} maxLength={1000} value={reason} onInput={setReason} onEnter={sign} />
      <Button text={text.sign} disabled={task.isBusy} onClick={sign} />
    </Card>
  );
}

/** Evidence that was just signed, or that is in files. It needs no account, and nothing leaves the browser. */
export function EvidenceScreen() {
  const { evidence, account } = useStore();
  const task = useTask();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [keyFile, setKeyFile] = useState<File>();
  const verify = (given: readonly File[], keys?: File): void => {
    setFiles(given);
    setKeyFile(keys);
    if (given.length === 0) return;
    task.run(async () => {
      update({ evidence: undefined });
      update({ evidence: await call('verifyEvidenceFiles', given, keys), announcement: text.checked });
    });
  };
  return (
    <>
      {account === undefined && (
        <p class="no-print">
          <a href={hrefOf('sign-in')}>{TEXT.screens['sign-in']}</a>
        </p>
      )}
      {evidence !== undefined && <EvidencePage report={evidence} />}
      <section class="card no-print">
        <p>{text.verifyHint}</p>
        <DropArea
          label={text.files}
          hint={text.filesHint}
          accept=".json,.jsonl,.ndjson,.jws,.txt"
          onFiles={(given) => verify(given, keyFile)}
        />
        <DropArea
          label={text.keys}
          hint={keyFile === undefined ? text.keysHint : text.keysGiven(shown(keyFile.name))}
          accept=".json,.jwks"
          onFiles={([keys]) => verify(files, keys)}
        />
        <Doing task={task} />
      </section>
    </>
  );
}

const inDays = (sentence: string): string => sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (each) => momentOf(each));

const signerOf = (by: EvidencePayload['signed_by']): string =>
  'email' in by ? `${by.email} (${TEXT.runs.userId(by.user_id)})` : `${by.name} (${by.client_id})`;

const userOf = (user_id: number | null): string => (user_id === null ? text.machine : TEXT.runs.userId(user_id));

/** Who made, approved and applied a plan, and why. */
function factsOf({ created_by, approved_by, approved_at, comment, applied_by }: EvidencePlan): string {
  const approval =
    approved_at === null ? text.notApproved : text.approvedBy(userOf(approved_by), momentOf(approved_at));
  const facts = text.planFacts(userOf(created_by), approval, userOf(applied_by));
  return comment === null ? facts : `${facts}: ${comment}`;
}

function EvidencePage({ report }: { readonly report: EvidenceReport }) {
  const { holds, payload, kid, findings, hasKeys, imports, moved, notMoved, stated, files } = report;
  const titles = useTitles();
  return (
    <article class="evidence">
      {holds === null ? (
        <Notice kind="warning">{text.unproven}</Notice>
      ) : (
        <Notice kind={holds ? 'success' : 'error'}>{holds ? text.holds : text.fails}</Notice>
      )}
      <div class="actions">
        {files.map((file, index) => (
          <Button
            text={index === 0 ? text.save : text.saveResults}
            kind={index === 0 ? 'main' : undefined}
            onClick={() => download(file.name, file)}
          />
        ))}
        <Button text={text.print} onClick={() => print()} />
      </div>
      {payload !== undefined && (
        <Card title={text.of(shown(payload.run_id))}>
          <Pairs
            caption={text.facts}
            pairs={[
              [text.company, payload.company_id],
              [text.signedBy, signerOf(payload.signed_by)],
              [text.signedAt, momentOf(new Date(payload.iat * 1000).toISOString())],
              [text.reason, payload.reason],
              [text.issuer, `${payload.iss}, ${payload.version}`],
              [text.key, kid ?? ''],
              [text.digest, payload.imports_digest],
              ...(payload.plans ?? []).map((plan) => [text.plan(plan.plan_digest), factsOf(plan)] as const),
            ]}
          />
          <RunCounts counts={payload.counts} />
        </Card>
      )}
      {moved !== undefined && (
        <Card title={text.moved}>
          <div class="cards">
            <Table
              caption={text.perCourse}
              showsCaption
              head={[TEXT.check.course, TEXT.runs.total, COMPLETED, TEXT.check.certified]}
              rows={moved.courses}
              cells={({ course, records, completed, certified }) => [
                titles.get(course) ?? String(course),
                records,
                completed,
                certified,
              ]}
            />
            {moved.years.length > 0 && (
              <Table
                caption={text.perYear}
                showsCaption
                head={[TEXT.check.year, COMPLETED]}
                rows={moved.years}
                cells={(year) => year}
              />
            )}
          </div>
        </Card>
      )}
      <TableCard
        caption={text.notMoved}
        head={[TEXT.rejected.why, TEXT.runs.total, text.source]}
        rows={notMoved}
        cells={(each) => [whyOf(each), each.count, each.isStated ? text.ofStatement : text.ofResults]}
      />
      <Card title={text.checked}>
        <ul class="findings">
          {findings.map(({ status, said }) => (
            <li class={status}>
              <strong>{text.statuses[status]}</strong> {inDays(shown(sentenceOf(said)))}
            </li>
          ))}
        </ul>
        {hasKeys && <p>{text.keysInside}</p>}
        <h3>{text.limitsTitle}</h3>
        <ul>
          {EVIDENCE_LIMITS.map((limit) => (
            <li>{sentenceOf(limit)}</li>
          ))}
        </ul>
      </Card>
      {payload?.statement !== undefined && (
        <Card title={text.statement}>
          <Pairs
            caption={text.statement}
            pairs={[
              ...(stated.files.length === 0 ? [] : [[TEXT.file.label, stated.files.join(', ')] as const]),
              ...(stated.zones.length === 0
                ? []
                : [[TEXT.review.zone, stated.zones.map(zoneName).join(', ')] as const]),
            ]}
          />
          {stated.isAgreed && <p>{TEXT.check.nothingChanges(stated.rows)}</p>}
          <details>
            <summary>JSON</summary>
            <pre>{shownJson(payload.statement)}</pre>
          </details>
        </Card>
      )}
      <TableCard
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
    </article>
  );
}

function whyOf({ code, reason }: NotMoved): string {
  if (code === 'left out') return reason === undefined ? text.skipped : text.leftOut(shown(reason));
  return ownValue(TEXT.rejected.reasons, code)?.() ?? TEXT.rejected.other;
}

const shownJson = (value: unknown): string => JSON.stringify(value, undefined, 2).split('\n').map(shown).join('\n');
