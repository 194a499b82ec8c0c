import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';

interface RecordRowProps {
  readonly id: string;
  readonly children: ComponentChildren;
}

/** A row of a list. The one that the search asked for is marked and scrolled to. */
export function RecordRow({ id, children }: RecordRowProps) {
  const found = useLocation().query['find'] === id;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (found) row.current?.scrollIntoView({ block: 'center' });
  }, [found]);
  return (
    <li
      ref={row}
      class={found ? 'record record-found' : 'record'}
      aria-current={found ? 'true' : undefined}
    >
      {children}
    </li>
  );
}
