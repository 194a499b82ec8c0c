import { Card } from '../../components/card.js';
import type { statisticsQuery } from '../../generated/documents.js';
import { formatWait } from '../../texts/format.js';
import { text } from '../../texts/text.js';

interface LagCardProps {
  readonly lag: statisticsQuery['lag'] | undefined;
}

/** For how long deliveries have been due. */
export function LagCard({ lag }: LagCardProps) {
  const texts = text.overview;
  const tiles = [
    [texts.lag, lag?.oldestDueSeconds],
    [texts.oldestDue, lag?.oldestBacklogSeconds],
  ] as const;
  return (
    <Card title={texts.dueNow}>
      <dl class="tiles">
        {tiles.map(([name, seconds]) => (
          <div key={name}>
            <dt class="soft small">{name}</dt>
            <dd>{seconds === undefined ? '…' : formatWait(seconds)}</dd>
          </div>
        ))}
      </dl>
      <p class="field-hint">{texts.lagHint}</p>
    </Card>
  );
}
