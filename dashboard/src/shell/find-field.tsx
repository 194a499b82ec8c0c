import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { text } from '../texts/text.js';
import { findTarget } from './find-target.js';

const inputId = 'find';

/** Focuses the field, at once or as soon as the menu of a small screen shows it. */
export function focusFindField(): void {
  const focus = () => document.getElementById(inputId)?.focus();
  focus();
  requestAnimationFrame(focus);
}

/** Opens the page of an id or of the number of an invoice. */
export function FindField() {
  const { route } = useLocation();
  const [unknown, setUnknown] = useState(false);
  const errorId = useId();
  return (
    <form
      class="find"
      noValidate
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        // Read from the field: state may not yet have the last key.
        const form = event.currentTarget;
        const input = form.elements.namedItem(inputId);
        const value = input instanceof HTMLInputElement ? input.value : '';
        const target = findTarget(value);
        setUnknown(target === undefined && value.trim() !== '');
        if (target === undefined) return;
        form.reset();
        route(target);
      }}
    >
      <label class="visually-hidden" for={inputId}>
        {text.shell.find}
      </label>
      <input
        id={inputId}
        class="input"
        type="search"
        placeholder={text.shell.find}
        title={text.shell.findHint}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={unknown}
        aria-describedby={unknown ? errorId : undefined}
        onInput={() => setUnknown(false)}
      />
      <kbd aria-hidden="true">/</kbd>
      {unknown && (
        <p class="field-error" id={errorId} role="alert">
          {text.shell.findUnknown}
        </p>
      )}
    </form>
  );
}
