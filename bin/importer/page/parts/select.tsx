/** A native choice that decides nothing while a person moves through it by keyboard (WCAG 3.2.2, On Input). */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from './controls.tsx';

/** Keys that do not move through the options of a closed choice. */
const STILL: ReadonlySet<string> = new Set(['Enter', 'Escape', 'Tab', ' ', 'F4', 'Shift', 'Control', 'Alt', 'Meta']);

export type Decide = (value: string, isByKeyboard: boolean) => void;

interface Asked {
  readonly value: string;
  /** The value is only suggested: choosing it again confirms it. */
  readonly isSuggestion?: boolean | undefined;
  readonly onDecide: Decide;
}

type Control = HTMLSelectElement | HTMLInputElement;
type On<Of extends Event> = Of & { readonly currentTarget: Control };

/**
 * A pointer, and a pick from the open list, decide at once. An arrow key or a letter on the closed choice changes only what it shows:
 * the enter key or leaving it decides, and the escape key takes it back. The same holds for the arrow keys in a number.
 *
 * @returns the properties of a `select`, or of an `input` of numbers
 */
function useDecision({ value, isSuggestion = false, onDecide }: Asked) {
  const [shownValue, show] = useState(value);
  useEffect(() => show(value), [value]);
  const isOpen = useRef(false);
  const isMoving = useRef(false);
  /** The browser changes a closed choice while it handles the key; a pick from the open list comes later. */
  const move = (): void => {
    isMoving.current = true;
    setTimeout(() => {
      isMoving.current = false;
    });
  };
  const decide = (to: string, isByKeyboard: boolean): void => {
    isOpen.current = false;
    if (to !== value || isSuggestion) onDecide(to, isByKeyboard);
  };
  return {
    value: shownValue,
    onKeyDown(event: On<KeyboardEvent>): void {
      const { key, altKey, currentTarget } = event;
      if (!STILL.has(key) && !altKey) move();
      if (key === 'Escape') {
        isOpen.current = false;
        show(value);
      }
      if (key !== 'Enter') return;
      event.preventDefault();
      decide(currentTarget.value, true);
    },
    onKeyPress: ({ key }: KeyboardEvent): void => void (STILL.has(key) || move()),
    onInput: ({ currentTarget }: On<Event>): void => show(currentTarget.value),
    onChange({ currentTarget }: On<Event>): void {
      if (isMoving.current) isOpen.current = true;
      else decide(currentTarget.value, false);
    },
    onBlur({ currentTarget }: On<FocusEvent>): void {
      // A window that goes to the back keeps its focus.
      if (!isOpen.current || document.activeElement === currentTarget) return;
      isOpen.current = false;
      if (currentTarget.value !== value) onDecide(currentTarget.value, true);
    },
  };
}

export type Option = readonly [value: string, text: string];

const listed = (options: readonly Option[], chosen: string) =>
  options.map(([each, text]) => (
    <option value={each} selected={each === chosen}>
      {text}
    </option>
  ));

interface SelectProps extends Asked {
  readonly label?: string;
  readonly isNarrow?: boolean;
  readonly 'aria-label'?: string;
  /** Stands first while nothing is chosen. */
  readonly open?: string | undefined;
  readonly options: readonly Option[];
  /** Further options, below a heading each. */
  readonly groups?: readonly (readonly [heading: string, options: readonly Option[]])[];
}

export function Select({ label, isNarrow = false, open, options, groups = [], ...asked }: SelectProps) {
  const choice = useDecision(asked);
  return (
    <Field label={label} isNarrow={isNarrow}>
      <select
        aria-label={asked['aria-label']}
        {...choice}
        class={open !== undefined && choice.value === '' ? 'open' : undefined}
      >
        {open !== undefined && listed([['', open]], choice.value)}
        {listed(options, choice.value)}
        {groups.map(([heading, others]) => (
          <optgroup label={heading}>{listed(others, choice.value)}</optgroup>
        ))}
      </select>
    </Field>
  );
}

interface NumberProps extends Asked {
  readonly label: string;
  readonly min: number;
  readonly max: number;
}

export const NumberInput = ({ label, min, max, ...asked }: NumberProps) => (
  <Field label={label}>
    <input type="number" min={min} max={max} {...useDecision(asked)} />
  </Field>
);
