import { TextField } from '../../components/fields.js';
import { isColour } from '../../portal/portal-theme.js';
import { text } from '../../texts/text.js';

interface ColourFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** What the picker shows for an empty field. */
  readonly fallback: string;
  readonly error?: string | undefined;
  readonly warning?: string | undefined;
  readonly onInput: (value: string) => void;
}

/** A colour, typed or picked. */
export function ColourField(props: ColourFieldProps) {
  const { label, value, fallback, warning, onInput } = props;
  return (
    <div class="stack-s">
      <div class="colour">
        <TextField
          label={label}
          hint={props.hint}
          error={props.error}
          value={value}
          maxLength={7}
          placeholder={text.portalSettings.colourPlaceholder}
          class="mono"
          onInput={onInput}
        />
        <input
          type="color"
          class="colour-picker"
          aria-label={label}
          value={isColour(value) ? value : fallback}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </div>
      {warning !== undefined && (
        <p class="field-hint" role="status">
          {warning}
        </p>
      )}
    </div>
  );
}
