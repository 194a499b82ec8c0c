import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren;
}

/** A titled section of a page. */
export function Card({ title, children, actions }: CardProps) {
  const id = useId();
  return (
    <section class="card card-body" aria-labelledby={id}>
      <div class="card-header">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
