import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface TextFieldProps {
  readonly label: string;
  /** Whether only screen readers get the label; the placeholder then says it, too. */
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

/** Without it, browsers take years of six digits. */
const latest: Readonly<Record<string, string>> = {
  date: '9999-12-31',
  'datetime-local': '9999-12-31T23:59',
};

/** A labelled field for one line of text, with its hint and its error. */
export function TextField(props: TextFieldProps) {
  const id = useId();
  const { label, hint, error, type = 'text', readOnly, onInput } = props;
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`];
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
        // Rules of ours speak, in the reader's words.
        aria-invalid={error !== undefined}
        aria-describedby={described.filter(Boolean).join(' ') || undefined}
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
    </div>
  );
}
