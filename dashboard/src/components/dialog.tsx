import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { RequestError } from '../api/request-error.js';
import { useFocusOnRefusal } from '../api/use-action.js';
import { text } from '../texts/text.js';
import { Button } from './button.js';
import { DataText } from './data-text.js';
import { ErrorNotice } from './notice.js';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** Keeps it open at Escape, because it shows something that cannot be shown again. */
  readonly sticky?: boolean;
}

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, children, onClose, sticky }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      // After Escape, a shortcut may have moved the focus before this runs.
      const now = document.activeElement;
      const isLost = now === null || now === document.body || dialog?.contains(now) === true;
      if (isLost && before instanceof HTMLElement) before.focus();
    };
  }, []);

  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        if (sticky) event.preventDefault();
      }}
    >
      <div class="dialog-body">
        <h2 id={id}>
          <DataText value={title} />
        </h2>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmDialogProps extends DialogProps {
  /** The text of the button that confirms. */
  readonly action: string;
  readonly kind?: 'primary' | 'danger';
  readonly busy: boolean;
  readonly error: RequestError | undefined;
  readonly onConfirm: () => void;
}

/** Asks before an action that a second click cannot undo. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, kind = 'primary', busy, error, onConfirm, onClose } = props;
  const form = useFocusOnRefusal(error);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        class="stack-s"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onConfirm();
        }}
      >
        {children}
        {error && <ErrorNotice error={error} />}
        <div class="dialog-actions">
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button kind={kind} type="submit" busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
