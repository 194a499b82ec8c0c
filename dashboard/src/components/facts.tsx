import type { ComponentChildren } from 'preact';

/** Names with values, in as many columns as fit. */
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
