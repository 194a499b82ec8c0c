import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { escapeHidden } from './data-text-parts.js';

interface TextFieldProps {
  readonly label: string;
  /** Shows the label to screen readers only; the placeholder then repeats it. */
  readonly labelHidden?: boolean;
  readonly name?: string;
  readonly value: string;
  readonly onInput?: (value: string) => void;
  readonly onBlur?: () => void;
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'date' | 'datetime-local';
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  readonly readOnly?: boolean;
  readonly required?: boolean;
  readonly autoComplete?: string;
  readonly inputMode?: 'text' | 'email' | 'url' | 'numeric';
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly class?: string;
  readonly autoFocus?: boolean;
}

/** The latest date of each type of field: without it, browsers accept years of six digits. */
const latest: Readonly<Record<string, string>> = {
  date: '9999-12-31',
  'datetime-local': '9999-12-31T23:59',
};

/** A labelled field for one line of text, with its hint and its error. */
export function TextField(props: TextFieldProps) {
  const id = useId();
  const { label, hint, error, type = 'text', readOnly, onInput } = props;
  return (
    <div class="field">
      <label for={id} class={props.labelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <input
        id={id}
        class={`input ${props.class ?? ''}`}
        // The types of elements allow one literal at a time.
        {...({ type } as { type: 'text' })}
        name={props.name}
        value={props.value}
        readOnly={readOnly}
        required={props.required}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
        autocomplete={props.autoComplete ?? 'off'}
        autocapitalize="off"
        spellcheck={false}
        inputMode={props.inputMode}
        maxLength={props.maxLength}
        max={latest[type]}
        placeholder={props.placeholder}
        autofocus={props.autoFocus}
        onInput={(event) => onInput?.(event.currentTarget.value)}
        onBlur={props.onBlur}
      />
      <HintAndError id={id} hint={hint} error={error} />
    </div>
  );
}

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
}

/** A labelled field for several lines, with its hint and its error. */
export function TextArea({ label, value, rows, onInput, hint, error }: TextAreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="input mono"
        rows={rows}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <HintAndError id={id} hint={hint} error={error} />
    </div>
  );
}

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  /** Each value with its label. The value '' stands for no choice. */
  readonly options: readonly (readonly [value: string, label: string])[];
  /** What is wrong with the choice. */
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A labelled choice of one value, with its error. */
export function SelectField({ label, value, options, error, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, undefined, error)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {escapeHidden(name)}
          </option>
        ))}
      </select>
      <HintAndError id={id} error={error} />
    </div>
  );
}

interface HintAndErrorProps {
  /** The id of the field. */
  readonly id: string;
  readonly hint?: ComponentChildren;
  readonly error: string | undefined;
}

function HintAndError({ id, hint, error }: HintAndErrorProps) {
  return (
    <>
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** The ids of the hint and the error of a field, for screen readers. */
function describedBy(id: string, hint: unknown, error: string | undefined): string | undefined {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`];
  return ids.filter(Boolean).join(' ') || undefined;
}
