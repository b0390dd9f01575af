import type { ComponentChildren } from 'preact';

interface FieldProps {
  readonly label: string;
  readonly isNarrow?: boolean;
  readonly children: ComponentChildren;
}

/** An input below its label. */
export const Field = ({ label, isNarrow = false, children }: FieldProps) => (
  <label class={isNarrow ? 'field narrow' : 'field'}>
    <span>{label}</span>
    {children}
  </label>
);

export type Option = readonly [value: string, text: string];

interface SelectProps {
  /** The name of a choice without a `Field` around it. */
  readonly label?: string;
  readonly value: string;
  /** Shown while nothing is chosen. */
  readonly open?: string | undefined;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

/** A choice of one. */
export const Select = ({ label, value, open, options, onChange }: SelectProps) => (
  <select
    aria-label={label}
    class={open !== undefined && value === '' ? 'open' : undefined}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  >
    {open !== undefined && (
      <option value="" selected={value === ''}>
        {open}
      </option>
    )}
    {options.map(([each, text]) => (
      <option value={each} selected={each === value}>
        {text}
      </option>
    ))}
  </select>
);
