/** The rendered rows of a windowed list: from `start` up to, but without, `end`. */
export interface WindowRange {
  readonly start: number;
  readonly end: number;
}

/** Rows that are rendered before and after the visible ones, so that scrolling shows no gaps. */
const spareRows = 10;

/** The visible part of a windowed list. All lengths are in CSS pixels. */
interface Viewport {
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Chooses the rows to render: the visible ones, with some to spare on both sides. */
export function windowRange({ scrollTop, height, rowHeight, count }: Viewport): WindowRange {
  const first = Math.floor(scrollTop / rowHeight);
  const inSight = Math.ceil(height / rowHeight) + 1;
  const start = Math.max(0, Math.min(first, count - inSight) - spareRows);
  return { start, end: Math.min(count, Math.max(0, first) + inSight + spareRows) };
}

/** The scroll position that shows a row, as close as possible to the current one. */
export function scrollTopToShow(
  index: number,
  { scrollTop, height, rowHeight }: Omit<Viewport, 'count'>,
): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + rowHeight - height);
}
