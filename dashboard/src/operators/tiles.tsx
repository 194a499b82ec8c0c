import type { ComponentChildren } from 'preact';

/** One number of a card, with its name. */
export interface Tile {
  readonly name: string;
  readonly value: ComponentChildren;
  /** Whether an operator should act on it. */
  readonly bad?: boolean;
}

/** Numbers with their names, in as many columns as fit. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl class="tiles">
      {tiles.map(({ name, value, bad }) => (
        <div key={name} class={bad === true ? 'tile-bad' : undefined}>
          <dt class="soft small">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
