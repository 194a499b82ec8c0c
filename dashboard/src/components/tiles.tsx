import type { ComponentChildren } from 'preact';
import './tiles.css';

/** One number of a card, with its name. */
export interface Tile {
  readonly name: string;
  readonly value: ComponentChildren;
  /** Whether the reader should act on it. */
  readonly bad?: boolean;
}

interface TilesProps {
  readonly tiles: readonly Tile[];
  /** Smaller, for a card with many numbers. */
  readonly dense?: boolean;
}

/** Numbers with their names, in as many columns as fit. */
export function Tiles({ tiles, dense }: TilesProps) {
  return (
    <dl class={dense === true ? 'tiles tiles-dense' : 'tiles'}>
      {tiles.map(({ name, value, bad }) => (
        <div key={name} class={bad === true ? 'tile-bad' : undefined}>
          <dt class="soft small">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
