import { Card } from '../../components/card.js';
import { Tiles } from '../../components/tiles.js';
import type { statisticsQuery } from '../../generated/documents.js';
import { formatWait } from '../../texts/format.js';
import { text } from '../../texts/text.js';

interface LagCardProps {
  readonly lag: statisticsQuery['lag'] | undefined;
}

/** For how long deliveries have been due. */
export function LagCard({ lag }: LagCardProps) {
  const texts = text.overview;
  const shown = (seconds: number | undefined) =>
    seconds === undefined ? '…' : formatWait(seconds);
  return (
    <Card title={texts.dueNow}>
      <Tiles
        tiles={[
          { name: texts.lag, value: shown(lag?.oldestDueSeconds) },
          { name: texts.oldestDue, value: shown(lag?.oldestBacklogSeconds) },
        ]}
      />
      <p class="field-hint">{texts.lagHint}</p>
    </Card>
  );
}
