import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { text } from '../texts/text.js';

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons next to the title. */
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

/** Holds the place of a card whose data is loading. */
export function LoadingCard() {
  return (
    <div class="card card-body" role="status" aria-label={text.common.loading}>
      <span class="skeleton" />
    </div>
  );
}

interface EmptyStateProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What to do next. */
  readonly action?: ComponentChildren;
}

/** Replaces a list without entries, and says what to do next. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div class="card empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** Names with their values, in as many columns as fit. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** One name with its value. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
