import { Card } from '../components/card.js';
import { Tiles } from '../components/tiles.js';
import { formatNumber, formatWait } from '../texts/format.js';
import { fill } from '../texts/text.js';
import { paths } from './paths.js';
import { countLimits, isLate, type Status } from './status-rules.js';
import { operatorText } from './texts.js';

const texts = operatorText.overview;

/** What waits for the workers. */
export function BacklogCard({ backlog }: Pick<Status, 'backlog'>) {
  if (!backlog) return <Card title={texts.deliveries}>{texts.unreadable}</Card>;
  const { ready, claimed, waiting, isolated, deadLettered } = backlog;
  const { oldestDueSeconds, oldestBacklogSeconds } = backlog;
  return (
    <Card title={texts.deliveries}>
      <Tiles
        dense
        tiles={[
          { name: texts.due, value: countOf(ready) },
          { name: texts.claimed, value: countOf(claimed) },
          { name: texts.waiting, value: countOf(waiting) },
          { name: texts.isolated, value: countOf(isolated) },
          {
            name: texts.deadLetters,
            value: <a href={paths.deadLetters}>{formatNumber(deadLettered)}</a>,
            bad: deadLettered > 0,
          },
          { name: texts.lag, value: formatWait(oldestDueSeconds), bad: isLate(oldestDueSeconds) },
          { name: texts.oldest, value: formatWait(oldestBacklogSeconds) },
        ]}
      />
      <p class="field-hint">{texts.lagHint}</p>
    </Card>
  );
}

function countOf(count: number): string {
  const shown = formatNumber(count);
  return count < countLimits.deliveries ? shown : fill(texts.atLeast, { count: shown });
}
