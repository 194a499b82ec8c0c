import { useId } from 'preact/hooks';
import { escapeHidden } from './data-text-parts.js';
import './select-field.css';

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  /** Values with what they are called. The value '' stands for no choice. */
  readonly options: readonly (readonly [value: string, label: string])[];
  /** What is wrong with the choice. */
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A labelled choice of one value. */
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
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {escapeHidden(name)}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
