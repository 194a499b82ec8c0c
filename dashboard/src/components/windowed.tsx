import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scrollTopToShow, windowRange } from './window-range.js';

interface WindowedProps {
  readonly count: number;
  /** The height of each row, in CSS pixels. */
  readonly rowHeight: number;
  readonly renderRow: (index: number) => ComponentChildren;
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
  /** The row that must be visible. */
  readonly current?: number | undefined;
  /** Called when the last row is rendered. */
  readonly onNearEnd?: () => void;
}

/** Many rows of one height. Only the visible ones are rendered. */
export function Windowed(props: WindowedProps) {
  const { count, rowHeight, renderRow, scroller, current, onNearEnd } = props;
  const [{ scrollTop, height }, setViewport] = useState({ scrollTop: 0, height: 800 });
  const frame = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;

    const measure = () =>
      setViewport({ scrollTop: element.scrollTop, height: element.clientHeight });
    const schedule = () => {
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(measure);
    };

    measure();

    const resized = new ResizeObserver(schedule);
    resized.observe(element);
    element.addEventListener('scroll', schedule, { passive: true });

    return () => {
      cancelAnimationFrame(frame.current);
      resized.disconnect();
      element.removeEventListener('scroll', schedule);
    };
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || current === undefined) return;
    element.scrollTop = scrollTopToShow(current, {
      scrollTop: element.scrollTop,
      height: element.clientHeight,
      rowHeight,
    });
  }, [current, rowHeight]);

  const { start, end } = windowRange({ scrollTop, height, rowHeight, count });
  useEffect(() => {
    if (end === count) onNearEnd?.();
  }, [end, count]);

  const rows = [];
  for (let index = start; index < end; index += 1) rows.push(renderRow(index));

  return (
    <div class="windowed" role="presentation" style={{ height: `${count * rowHeight}px` }}>
      <div role="presentation" style={{ transform: `translateY(${start * rowHeight}px)` }}>
        {rows}
      </div>
    </div>
  );
}
