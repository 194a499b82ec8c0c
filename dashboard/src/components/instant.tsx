import { useEffect, useState } from 'preact/hooks';
import { fill, text } from '../texts/text.js';
import {
  formatDay,
  formatInstant,
  formatRelative,
  formatShort,
  formatUtc,
  pauseUntilChange,
} from '../texts/format.js';

interface InstantProps {
  /** RFC 3339. */
  readonly at: string;
  /**
   * `relative` is "3 minutes ago", `short` suits a list. `utc` and `day` are in UTC and say so: for the dates of
   * documents. Defaults to `full`, date and time.
   */
  readonly style?: 'relative' | 'short' | 'full' | 'utc' | 'day';
}

/** A time in the reader's zone with UTC in its tooltip, or in UTC with the reader's zone there. */
export function Instant({ at, style = 'full' }: InstantProps) {
  const [now, setNow] = useState(() => Date.now());
  const time = Date.parse(at);
  useEffect(() => {
    if (style !== 'relative') return;
    const timer = setTimeout(() => setNow(Date.now()), pauseUntilChange(time, now));
    return () => clearTimeout(timer);
  }, [style, time, now]);

  const utc = fill(text.common.utc, { time: formatUtc(time) });
  const shown = {
    full: () => formatInstant(time),
    short: () => formatShort(time, now),
    relative: () => formatRelative(time, now),
    utc: () => utc,
    day: () => fill(text.common.utc, { time: formatDay(time) }),
  };

  const local = formatInstant(time);
  const titles: Partial<Record<typeof style, string>> = {
    full: utc,
    utc: local,
  };

  return (
    <time dateTime={at} title={titles[style] ?? `${local} · ${utc}`}>
      {shown[style]()}
    </time>
  );
}
