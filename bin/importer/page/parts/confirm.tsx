import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { TEXT } from '../texts/index.ts';
import { Button } from './controls.tsx';

interface Props {
  readonly text: string;
  readonly kind?: 'main' | 'danger' | 'plain' | undefined;
  /** What will happen, and the words that let it. */
  readonly question: string;
  readonly yes: string;
  readonly disabled?: boolean;
  readonly onYes: () => void;
  readonly children?: ComponentChildren;
}

/** A button that asks before it does something. The focus goes to the question, and back. */
export function Confirm({ text, kind, question, yes, disabled = false, onYes, children }: Props) {
  const [isAsked, ask] = useState(false);
  if (!isAsked) return <Button text={text} kind={kind} disabled={disabled} onClick={() => ask(true)} />;
  return (
    <div class="confirm" role="group" aria-label={text}>
      <p>{question}</p>
      {children}
      <div class="actions">
        <Button
          text={yes}
          kind={kind === 'main' ? 'main' : 'danger'}
          disabled={disabled}
          onClick={() => {
            ask(false);
            onYes();
          }}
        />
        <Button text={TEXT.migrations.notYet} onClick={() => ask(false)} />
      </div>
    </div>
  );
}
