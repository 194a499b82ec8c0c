import { Card } from '../../components/card.js';
import { formatDay, formatDayAndClock } from '../../texts/format.js';
import type { StatisticsSpan } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { pathOfList } from '../deliveries/delivery-filter.js';
import { type Column, ColumnChart, type Series } from './column-chart.js';
import { type Bucket, filterOf } from './statistics.js';

const texts = text.overview;
const outcomes: readonly Series[] = [
  { kind: 'good', label: texts.delivered },
  { kind: 'warn', label: texts.failed },
  { kind: 'bad', label: texts.abandoned },
];
const percentiles: readonly Series[] = [
  { kind: 'accent', label: texts.p50 },
  { kind: 'accent-soft', label: texts.p95 },
];

interface ChartsProps {
  readonly buckets: readonly Bucket[] | undefined;
  readonly by: StatisticsSpan;
}

/** Outcomes and latency over time. Each column of outcomes leads to its attempts. */
export function Charts({ buckets, by }: ChartsProps) {
  const columns = (values: (bucket: Bucket) => Column['values'], linked: boolean) =>
    (buckets ?? []).map((bucket) => ({
      key: bucket.startsAt,
      label: labelOf(bucket, by),
      values: values(bucket),
      ...(linked && { href: pathOfList(filterOf(bucket, by)) }),
    }));
  const some = buckets?.some(({ attempts }) => attempts > 0) ?? true;
  const reached = buckets?.some(({ latency }) => latency !== null) ?? true;
  return (
    <div class="charts">
      <Card title={texts.overTime}>
        {some ? (
          <ColumnChart
            columns={columns(
              ({ success, failed, abandoned }) => [success, failed, abandoned],
              true,
            )}
            series={outcomes}
          />
        ) : (
          <p class="soft">{texts.noAttempts}</p>
        )}
      </Card>
      <Card title={texts.latency}>
        {reached ? (
          <>
            <ColumnChart
              columns={columns(
                ({ latency }) => [latency?.p50Ms ?? null, latency?.p95Ms ?? null],
                false,
              )}
              series={percentiles}
              nested
              format={(ms) => fill(text.common.ms, { ms })}
            />
            <p class="field-hint">{texts.latencyHint}</p>
          </>
        ) : (
          <p class="soft">{texts.noLatency}</p>
        )}
      </Card>
    </div>
  );
}

/** An hour in the reader's zone; a day as the service counts it, in UTC. */
function labelOf({ startsAt }: Bucket, by: StatisticsSpan): string {
  const time = Date.parse(startsAt);
  return by === 'day' ? formatDay(time) : formatDayAndClock(time);
}
