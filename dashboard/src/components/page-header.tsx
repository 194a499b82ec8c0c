import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { escapeHidden } from './data-text-parts.js';

interface PageHeaderProps {
  /** The title of the page and of the browser's tab. */
  readonly title: string;
  /** The content of the heading. Defaults to the title. */
  readonly heading?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly back?: { readonly href: string; readonly label: string };
  /** Buttons at the end of the header. */
  readonly actions?: ComponentChildren;
}

let firstPage = true;

/** The heading of a view. It takes the focus, so that a screen reader announces the new page. */
export function PageHeader({ title, heading, lead, back, actions }: PageHeaderProps) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${escapeHidden(title)} · Signalpost`;
  }, [title]);

  useEffect(() => {
    if (!firstPage) element.current?.focus({ preventScroll: true });
    firstPage = false;
  }, []);

  return (
    <header class="page-header">
      <div>
        {back && (
          <a class="back" href={back.href}>
            ← {escapeHidden(back.label)}
          </a>
        )}
        <h1 ref={element} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {lead && <p class="soft">{lead}</p>}
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
  );
}
