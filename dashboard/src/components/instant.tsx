import { useEffect, useState } from 'preact/hooks';
import { fill, text } from '../texts/text.js';
import {
  formatInstant,
  formatRelative,
  formatShort,
  formatUtc,
  pauseUntilChange,
} from './instant-format.js';

interface InstantProps {
  /** RFC 3339. */
  readonly at: string;
  /** `relative` for "3 minutes ago", `short` for a list; defaults to date and time. */
  readonly style?: 'relative' | 'short' | 'full';
}

/** A time in the reader's zone, with UTC on hover. */
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
  };
  return (
    <time dateTime={at} title={style === 'full' ? utc : `${formatInstant(time)} · ${utc}`}>
      {shown[style]()}
    </time>
  );
}
