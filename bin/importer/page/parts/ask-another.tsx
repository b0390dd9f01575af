import { runHref } from '../state/address.ts';
import { TEXT } from '../texts/index.ts';
import { Button, Input, Notice } from './controls.tsx';

const text = TEXT.import;

/** The maker of a plan cannot approve it, and sends its address to somebody who may. */
export function AskAnother({ run_id }: { readonly run_id: string }) {
  const address = new URL(runHref(run_id), location.href).href;
  return (
    <Notice kind="note" title={text.asked}>
      <p>{text.askedHint}</p>
      <Input label={text.address} readOnly value={address} />
      <Button text={text.copy} onClick={() => void navigator.clipboard.writeText(address).catch(() => {})} />
    </Notice>
  );
}
