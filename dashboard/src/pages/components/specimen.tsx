import type { ComponentChildren } from 'preact';

interface GroupProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Specimens of one kind. The menu of the page leads to it. */
export function Group({ title, children }: GroupProps) {
  return (
    <div class="stack" id={title.toLowerCase()}>
      <h2 class="group-title">{title}</h2>
      {children}
    </div>
  );
}

interface SpecimenProps {
  /** Its path below `dashboard/src`. */
  readonly file: string;
  readonly children: ComponentChildren;
}

/** What one file exports, in its states. Its heading has the level that a page may begin with. */
export function Specimen({ file, children }: SpecimenProps) {
  return (
    <div class="specimen stack-s">
      <h2 class="mono">{file}</h2>
      {children}
    </div>
  );
}

interface StateProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** A component in one state. */
export function State({ name, children }: StateProps) {
  return (
    <div class="specimen-state">
      <p class="soft small">{name}</p>
      <div class="stack-s">{children}</div>
    </div>
  );
}

/** States that fit next to each other. */
export function States({ children }: { readonly children: ComponentChildren }) {
  return <div class="specimen-states">{children}</div>;
}

/** Does nothing, which is all that a specimen does when it is used. */
export function nothing(): void {}
