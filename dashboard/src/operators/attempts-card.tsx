import { Card } from '../components/card.js';
import { Tiles } from '../components/tiles.js';
import type { serviceStatusQuery } from '../generated/operator-documents.js';
import { formatInstant, formatNumber, formatShare } from '../texts/format.js';
import { fill } from '../texts/text.js';
import { operatorText } from './texts.js';

const texts = operatorText.overview;

/** The state of the whole service. */
export type Status = serviceStatusQuery['status'];

interface AttemptsCardProps {
  readonly title: string;
  readonly outcomes: Status['outcomes'];
}

/** How attempts ended, as numbers. */
export function AttemptsCard({ title, outcomes }: AttemptsCardProps) {
  if (!outcomes) return <Card title={title}>{texts.unreadable}</Card>;

  const { since, success, failed, abandoned, complete } = outcomes;
  const rate = successRate(outcomes);
  return (
    <Card title={title}>
      <Tiles
        dense
        tiles={[
          { name: texts.successRate, value: rate === undefined ? '–' : formatShare(rate) },
          { name: texts.delivered, value: formatNumber(success) },
          { name: texts.failed, value: formatNumber(failed) },
          { name: texts.abandoned, value: formatNumber(abandoned) },
        ]}
      />
      <p class="field-hint">
        {fill(texts.since, { time: formatInstant(Date.parse(since)) })}
        {!complete && ` ${texts.partOnly}`}
      </p>
    </Card>
  );
}

/** The share of attempts that succeeded; undefined without an attempt. */
function successRate({
  success,
  failed,
  abandoned,
}: Pick<NonNullable<Status['outcomes']>, 'success' | 'failed' | 'abandoned'>): number | undefined {
  const attempts = success + failed + abandoned;
  return attempts === 0 ? undefined : success / attempts;
}
