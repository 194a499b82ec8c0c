import type { ComponentChildren } from 'preact';
import { escapeHidden } from './data-text-parts.js';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly small?: boolean;
  /** What a screen reader reads instead of the text, where the text is clear only within its row. */
  readonly label?: string;
  readonly type?: 'button' | 'submit';
  /** Its work is running: the button keeps the focus, and a click does nothing. */
  readonly busy?: boolean;
  readonly onClick?: () => void;
}

/** A button that changes something. */
export function Button({
  children,
  kind,
  small,
  label,
  type = 'button',
  busy,
  onClick,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={buttonClass(kind, small)}
      aria-disabled={busy}
      aria-label={label && escapeHidden(label)}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}

interface ButtonLinkProps extends Pick<ButtonProps, 'children' | 'kind' | 'small'> {
  readonly href: string;
}

/** A link to another view that looks like a button. */
export function ButtonLink({ href, children, kind, small }: ButtonLinkProps) {
  return (
    <a class={buttonClass(kind, small)} href={href}>
      {children}
    </a>
  );
}

function buttonClass(kind: ButtonProps['kind'], small: boolean | undefined): string {
  return ['button', kind && `button-${kind}`, small && 'button-small'].filter(Boolean).join(' ');
}
