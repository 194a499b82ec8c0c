import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';

interface RecordRowProps {
  readonly id: string;
  readonly children: ComponentChildren;
}

/** A row of a list. The one that a search linked to is highlighted and scrolled into view. */
export function RecordRow({ id, children }: RecordRowProps) {
  const wanted = useLocation().query['find'] === id;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (wanted) row.current?.scrollIntoView({ block: 'center' });
  }, [wanted]);

  return (
    <li
      ref={row}
      class={wanted ? 'record record-found' : 'record'}
      aria-current={wanted ? 'true' : undefined}
    >
      {children}
    </li>
  );
}
