import { useId } from 'preact/hooks';
import { escapeHidden } from './data-text-parts.js';
import './select-field.css';

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  /** Values with what they are called. The value '' stands for no choice. */
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

/** A labelled choice of one value. */
export function SelectField({ label, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {escapeHidden(name)}
          </option>
        ))}
      </select>
    </div>
  );
}
