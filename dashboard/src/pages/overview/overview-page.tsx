import { useLocation } from 'preact-iso';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import { can } from '../../api/session-state.js';
import { useQuery, useRepeat } from '../../api/use-query.js';
import { ButtonLink } from '../../components/button.js';
import { Card, EmptyState } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { Tiles } from '../../components/tiles.js';
import {
  deliveriesDocument,
  endpointFailuresDocument,
  endpointHealthDocument,
  firstEndpointDocument,
  statisticsDocument,
  type statisticsQuery,
  type StatisticsSpan,
} from '../../generated/documents.js';
import {
  formatDay,
  formatDayAndClock,
  formatInstant,
  formatNumber,
  formatShare,
  formatWait,
} from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import { pathOfList, type Range, ranges, startOf } from '../deliveries/delivery-filter.js';
import { StateBadge, Waiting, WaitingBadge } from '../endpoints/health-facts.js';
import { hostAndPath } from '../endpoints/host.js';
import { type Column, ColumnChart, type Series } from './column-chart.js';
import {
  type Bucket,
  type FailingEndpoint,
  failingEndpoints,
  filterOf,
  totalsOf,
} from './statistics.js';
import './overview.css';

const texts = text.overview;

const againMs = 60_000;

/** The start page: the health of all deliveries, and the first steps. */
export function OverviewPage() {
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      {can('webhooks', 'read') ? (
        <Overview />
      ) : (
        <EmptyState title={texts.title}>{texts.noAccess}</EmptyState>
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
  const range = ranges.find((known) => known === query['range']) ?? 'day';
  const by = range === 'month' ? 'day' : 'hour';

  // Statistics count whole hours, so the range moves by the hour.
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
    <nav class="filter" aria-label={texts.range}>
      {ranges.map((choice) => (
        <a
          key={choice}
          href={`${base}/overview?range=${choice}`}
          aria-current={choice === range ? 'true' : undefined}
        >
          {texts.ranges[choice]}
        </a>
      ))}
    </nav>
  );
}

function Totals({ buckets }: { readonly buckets: Parameters<typeof totalsOf>[0] | undefined }) {
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

/** Outcomes and latency over time. Each column of outcomes links to its attempts. */
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

/** An hour in the reader's time zone, or a day in UTC, as the service counts it. */
function labelOf({ startsAt }: Bucket, by: StatisticsSpan): string {
  const time = Date.parse(startsAt);
  return by === 'day' ? formatDay(time) : formatDayAndClock(time);
}

interface LagCardProps {
  readonly lag: statisticsQuery['lag'] | undefined;
}

/** How long deliveries have been due. */
export function LagCard({ lag }: LagCardProps) {
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

interface FailingEndpointsProps {
  readonly since: string;
  readonly range: Range;
}

/** The endpoints with the most failed attempts, and their current health. */
export function FailingEndpoints({ since, range }: FailingEndpointsProps) {
  const { data, error, reload } = useQuery(endpointFailuresDocument, { since });
  useRepeat(reload, againMs, true);

  const endpoints = failingEndpoints(data?.failures ?? []);
  return (
    <Card title={texts.failing}>
      {error && <ErrorNotice error={error} retry={reload} />}
      {data && endpoints.length === 0 ? (
        <p class="soft">{texts.noFailing}</p>
      ) : (
        <ul class="failing" aria-busy={!data && !error}>
          {endpoints.map((endpoint) => (
            <Failing key={endpoint.id} endpoint={endpoint} range={range} />
          ))}
        </ul>
      )}
      <p class="field-hint">{texts.failingHint}</p>
    </Card>
  );
}

interface FailingProps {
  readonly endpoint: FailingEndpoint;
  readonly range: Range;
}

function Failing({ endpoint: { id, url, count, status }, range }: FailingProps) {
  const { data, reload } = useQuery(endpointHealthDocument, { id });
  useRepeat(reload, againMs, true);

  const health = data?.health;
  return (
    <li>
      <a href={`${base}/endpoints/${id}`} class="mono">
        <DataText value={hostAndPath(url)} />
      </a>
      {health ? <StateBadge state={health.state} /> : <WaitingBadge />}
      <div class="failing-counts small">
        {fill(texts.failures, { count })}
        {health?.lastFailureAt && (
          <>
            , {texts.latest} <Instant at={health.lastFailureAt} style="relative" />
          </>
        )}
        {health && health.pendingCount > 0 && (
          <div>
            {text.endpoints.waiting}: <Waiting health={health} />
          </div>
        )}
      </div>
      <a class="small" href={pathOfList({ endpoint: id, status, range })}>
        {texts.show}
      </a>
    </li>
  );
}

/** Explains webhooks, and the steps to the first delivery. */
export function FirstSteps() {
  const endpoints = useQuery(firstEndpointDocument, {}).data?.endpoints.data;
  const created = (endpoints?.length ?? 0) > 0;
  return (
    <Card title={texts.stepsTitle}>
      <p>{texts.stepsLead}</p>
      <ol class="steps">
        <li class={created ? 'step-done' : undefined}>
          {texts.steps.endpoint} {created && <span class="tag small">{texts.done}</span>}
        </li>
        <li>{texts.steps.test}</li>
        <li>{texts.steps.see}</li>
      </ol>
      <div class="row">
        {!created && can('webhooks', 'write') ? (
          <ButtonLink kind="primary" href={`${base}/endpoints/new`}>
            {texts.createEndpoint}
          </ButtonLink>
        ) : (
          <ButtonLink kind="primary" href={`${base}/endpoints`}>
            {texts.openEndpoints}
          </ButtonLink>
        )}
        <ButtonLink href={`${base}/deliveries`}>{texts.openDeliveries}</ButtonLink>
      </div>
    </Card>
  );
}
