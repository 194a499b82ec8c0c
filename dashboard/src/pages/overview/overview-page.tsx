import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { base } from '../../api/base.js';
import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { Card, EmptyState } from '../../components/card.js';
import { ErrorNotice } from '../../components/notice.js';
import { formatInstant, formatNumber, formatShare } from '../../texts/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Tiles } from '../../components/tiles.js';
import { deliveriesDocument, statisticsDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { type Range, ranges, startOf } from '../deliveries/delivery-filter.js';
import { Charts } from './charts.js';
import { FailingEndpoints } from './failing-endpoints.js';
import { FirstSteps } from './first-steps.js';
import { LagCard } from './lag-card.js';
import { totalsOf } from './statistics.js';
import './overview.css';

const againMs = 60_000;

/** The start page: how deliveries do, and what to do first. */
export function OverviewPage() {
  return (
    <>
      <PageHeader title={text.overview.title} lead={text.overview.lead} />
      {can('webhooks', 'read') ? (
        <Overview />
      ) : (
        <EmptyState title={text.overview.title}>{text.overview.noAccess}</EmptyState>
      )}
    </>
  );
}

const hourMs = 3_600_000;

function thisHour(): number {
  return Math.floor(Date.now() / hourMs) * hourMs;
}

function Overview() {
  const { query } = useLocation();
  const range = ranges.find((each) => each === query['range']) ?? 'day';
  const by = range === 'month' ? 'day' : 'hour';
  // Statistics are of whole hours, so the range moves on by the hour.
  const [hour, setHour] = useState(thisHour);
  const since = useMemo(() => startOf(range, hour), [range, hour]);
  const { data, error, reload } = useQuery(statisticsDocument, { by, since });
  const everything = useQuery(deliveriesDocument, {});
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      setHour(thisHour());
      reload();
    }, againMs);
    return () => clearInterval(timer);
  }, [range]);
  const buckets = data?.statistics;
  const isNew = everything.data?.deliveries.data.length === 0;
  return (
    <>
      {isNew && <FirstSteps />}
      <RangeChoice range={range} />
      {error && <ErrorNotice error={error} retry={reload} />}
      <Totals buckets={buckets} />
      <Charts buckets={buckets} by={by} />
      <LagCard lag={data?.lag} />
      <FailingEndpoints since={since} range={range} />
    </>
  );
}

function RangeChoice({ range }: { readonly range: Range }) {
  return (
    <nav class="filter" aria-label={text.overview.range}>
      {ranges.map((each) => (
        <a
          key={each}
          href={`${base}/overview?range=${each}`}
          aria-current={each === range ? 'true' : undefined}
        >
          {text.overview.ranges[each]}
        </a>
      ))}
    </nav>
  );
}

function Totals({ buckets }: { readonly buckets: Parameters<typeof totalsOf>[0] | undefined }) {
  const texts = text.overview;
  const totals = buckets && totalsOf(buckets);
  const first = buckets?.[0]?.startsAt;
  const rate = totals?.successRate;
  const none = totals ? '–' : '…';
  return (
    <Card title={texts.outcomes}>
      <Tiles
        tiles={[
          { name: texts.successRate, value: rate === undefined ? none : formatShare(rate) },
          { name: texts.delivered, value: totals ? formatNumber(totals.success) : none },
          { name: texts.failed, value: totals ? formatNumber(totals.failed) : none },
          { name: texts.abandoned, value: totals ? formatNumber(totals.abandoned) : none },
        ]}
      />
      <p class="field-hint">
        {first ? fill(texts.since, { time: formatInstant(Date.parse(first)) }) : '\u00a0'}
      </p>
    </Card>
  );
}
