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

interface SelectProps {
  /** The name of a choice without a `Field` around it. */
  readonly label?: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** A choice of one. */
export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
    {options.map(([each, text]) => (
      <option value={each} selected={each === value}>
        {text}
      </option>
    ))}
  </select>
);
