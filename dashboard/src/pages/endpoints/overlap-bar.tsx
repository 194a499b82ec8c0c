import { formatInstant } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';

const overlapMs = 24 * 60 * 60 * 1_000;

interface OverlapBarProps {
  /** When the secret was rotated, in milliseconds; absent before. */
  readonly rotatedAt?: number;
}

/** Draws which secrets sign: the old one for 24 hours more, the new one from now on. */
export function OverlapBar({ rotatedAt }: OverlapBarProps) {
  const end =
    rotatedAt === undefined
      ? text.endpoints.overlapLater
      : fill(text.endpoints.overlapUntil, { time: formatInstant(rotatedAt + overlapMs) });
  return (
    <figure class="overlap">
      <figcaption class="label small">{text.endpoints.overlap}</figcaption>
      <div class="overlap-row">
        <span>{text.endpoints.overlapOld}</span>
        <div class="overlap-track">
          <span class="overlap-old" />
        </div>
        <span>{text.endpoints.overlapNew}</span>
        <div class="overlap-track">
          <span class="overlap-new" />
        </div>
        <span />
        <div class="overlap-scale">
          <span>{text.endpoints.overlapNow}</span>
          <span>{end}</span>
        </div>
      </div>
      <p class="field-hint">{text.endpoints.overlapEnd}</p>
    </figure>
  );
}
