import { type ComponentChildren, createElement, type PartialInputHTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { shown } from '../../engine/ground/text.ts';
import { TEXT } from '../texts/index.ts';

interface ButtonProps {
  readonly text: string;
  /** `plain` looks like a link. */
  readonly kind?: 'main' | 'plain' | 'danger' | undefined;
  readonly disabled?: boolean;
  /** Names what the button is about to people who cannot see what is beside it. */
  readonly label?: string;
  readonly onClick: () => void;
}

export const Button = ({ text, kind, disabled, label, onClick }: ButtonProps) => (
  <button type="button" class={kind} disabled={disabled} aria-label={label} onClick={onClick}>
    {text}
  </button>
);

interface FieldProps {
  readonly label: string | undefined;
  readonly isNarrow?: boolean;
  readonly children: ComponentChildren;
}

/** Without a label, what it holds is named by something else. */
export const Field = ({ label, isNarrow = false, children }: FieldProps) =>
  label === undefined ? (
    <>{children}</>
  ) : (
    <label class={isNarrow ? 'field narrow' : 'field'}>
      <span>{label}</span>
      {children}
    </label>
  );

interface InputProps extends Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'onInput' | 'onChange'> {
  readonly label?: string;
  readonly list?: string | undefined;
  readonly onInput?: (text: string) => void;
  readonly onChange?: (text: string) => void;
  /** The enter key does this and does not submit the step. */
  readonly onEnter?: () => void;
}

export function Input({ label, onInput, onChange, onEnter, ...others }: InputProps) {
  const enter = (event: KeyboardEvent): void => {
    if (onEnter === undefined || event.key !== 'Enter') return;
    event.preventDefault();
    onEnter();
  };
  const input = createElement('input', {
    ...others,
    onInput: ({ currentTarget }) => onInput?.(currentTarget.value),
    onChange: ({ currentTarget }) => onChange?.(currentTarget.value),
    onKeyDown: enter,
  });
  return <Field label={label}>{input}</Field>;
}

interface CheckBoxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export const CheckBox = ({ label, onChange, ...others }: CheckBoxProps) => (
  <label class="check">
    <input type="checkbox" {...others} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    <span>{label}</span>
  </label>
);

interface DropAreaProps {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  readonly onFiles: (files: readonly File[]) => void;
}

export function DropArea({ label, hint, accept, onFiles }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  const choose = (files: FileList | null = null): void => {
    if (files !== null && files.length > 0) onFiles([...files]);
  };
  const drop = (event: DragEvent): void => {
    over(event);
    choose(event.dataTransfer?.files);
  };
  return (
    <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={over} onDrop={drop}>
      <Field label={label}>
        <input
          type="file"
          name="files"
          multiple
          accept={accept}
          onChange={(event) => choose(event.currentTarget.files)}
        />
      </Field>
      <p class="hint">{hint}</p>
    </div>
  );
}

interface NoticeProps {
  readonly kind: 'error' | 'warning' | 'success' | 'note';
  readonly title?: string | undefined;
  readonly points?: readonly string[];
  readonly children?: ComponentChildren;
}

/** A message beside the work. An error comes into view, and is said at once to people who cannot see it. */
export function Notice({ kind, title, points = [], children }: NoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  const isError = kind === 'error';
  useEffect(() => {
    if (isError) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isError]);
  return (
    <div class={`notice ${kind}`} role={isError ? 'alert' : undefined} ref={place}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {points.length > 0 && (
        <ul>
          {points.map((point) => (
            <li>{shown(point)}</li>
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}

interface GroupProps {
  readonly title: string;
  readonly beside?: ComponentChildren;
  readonly isCard?: boolean;
  readonly children: ComponentChildren;
}

export const Group = ({ title, beside, isCard = false, children }: GroupProps) => (
  <section class={isCard ? 'card' : undefined}>
    <div class="head">
      <h2>{title}</h2>
      {beside}
    </div>
    {children}
  </section>
);

export const Card = (props: Omit<GroupProps, 'isCard'>) => <Group {...props} isCard />;

interface LegendProps {
  readonly label?: string;
  readonly counts: readonly (readonly [name: string, count: number, mark?: ComponentChildren])[];
}

/** Counts with their names in a line, without zeros. */
export const Legend = ({ label, counts }: LegendProps) => (
  <ul class="legend" aria-label={label}>
    {counts
      .filter(([, count]) => count > 0)
      .map(([name, count, mark]) => (
        <li>
          {mark}
          <strong>{TEXT.n(count)}</strong> {name}
        </li>
      ))}
  </ul>
);

export const Chips = ({ chips }: { readonly chips: readonly ComponentChildren[] }) => (
  <ul class="chips">
    {chips.map((chip) => (
      <li class="chip">{chip}</li>
    ))}
  </ul>
);

export function download(name: string, content: string | Blob, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
