import { useId, useState } from 'preact/hooks';
import { Button } from '../../components/button.js';
import { text } from '../../texts/text.js';

const maxBytes = 32 * 1_024;

interface LogoFieldProps {
  /** A `data:` URL. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** Takes an image from the reader's device. */
export function LogoField({ value, onChange }: LogoFieldProps) {
  const id = useId();
  const [tooLarge, setTooLarge] = useState(false);
  const texts = text.portalSettings;
  const take = (file: File | undefined) => {
    if (!file) return;
    setTooLarge(file.size > maxBytes);
    if (file.size > maxBytes) return;
    const reader = new FileReader();
    reader.onload = () => onChange(typeof reader.result === 'string' ? reader.result : null);
    reader.readAsDataURL(file);
  };
  return (
    <div class="field">
      <label for={id}>{texts.logo}</label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={`${id}-hint`}
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      <p class="field-hint" id={`${id}-hint`}>
        {texts.logoHint}
      </p>
      {tooLarge && (
        <p class="field-error" role="alert">
          {texts.logoTooLarge}
        </p>
      )}
      {value !== null && (
        <div>
          <Button small onClick={() => onChange(null)}>
            {texts.removeLogo}
          </Button>
        </div>
      )}
    </div>
  );
}
