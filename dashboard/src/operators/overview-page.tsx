import { useQuery, useRepeat } from '../api/use-query.js';
import { Card, LoadingCard } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { Instant } from '../components/instant.js';
import { ErrorNotice, Notice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import { Tiles } from '../components/tiles.js';
import { serviceStatusDocument, type serviceStatusQuery } from '../generated/operator-documents.js';
import { formatInstant, formatNumber, formatShare, formatWait } from '../texts/format.js';
import { fill } from '../texts/text.js';
import { paths } from './paths.js';
import { Search } from './search.js';
import { operatorText } from './texts.js';

const texts = operatorText.overview;

const laneTexts = operatorText.lanes;

const workerTexts = operatorText.workers;

/** The state of the whole service. */
export type Status = serviceStatusQuery['status'];

const everyMs = 5_000;

/** The roles of the workers. Each has work that no other role does. */
const everyRole = ['deliver', 'replay', 'notify', 'expire'];

/** The service stops counting pending deliveries and mails here. */
const countLimits = { deliveries: 100_000, notices: 10_000 } as const;

/** A due delivery waits longer than this only when workers are missing or too few. */
const lateSeconds = 60;

/** The state of the whole service on one page. */
export function OverviewPage() {
  const { data, error, reload } = useQuery(serviceStatusDocument, {});
  useRepeat(reload, everyMs, true);
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <Search search="" />
      {error && <ErrorNotice error={error} retry={reload} />}
      {data ? <Cards status={data.status} /> : <LoadingCard />}
    </>
  );
}

function Cards({ status }: { readonly status: Status }) {
  const away = status.dependencies.filter(({ state }) => state !== 'ok').map(({ name }) => name);
  return (
    <>
      {away.length > 0 && (
        <Notice
          kind={status.ready ? 'warn' : 'bad'}
          title={status.ready ? texts.away : texts.notReady}
        >
          <p>{fill(texts.awayDetail, { names: away.join(', ') })}</p>
        </Notice>
      )}
      <BacklogCard backlog={status.backlog} />
      <LanesCard lanes={status.lanes} />
      <WorkersCard workers={status.workers} />
      <AttemptsCard title={texts.attempts} outcomes={status.outcomes} />
      <OthersCard status={status} />
      <Card title={texts.dependencies}>
        <ul class="badges">
          {status.dependencies.map(({ name, state }) => (
            <li key={name} class={`badge ${state === 'ok' ? 'badge-good' : 'badge-bad'}`}>
              {name}: {texts.states[state]}
            </li>
          ))}
        </ul>
        <p class="field-hint">
          {status.queueDepths
            ? fill(texts.queueDepth, {
                counts: status.queueDepths.map(({ kind, depth }) => `${kind} ${depth}`).join(', '),
              })
            : texts.queueAway}
        </p>
      </Card>
    </>
  );
}

/** The deliveries that wait for the workers. */
function BacklogCard({ backlog }: Pick<Status, 'backlog'>) {
  if (!backlog) return <Card title={texts.deliveries}>{texts.unreadable}</Card>;

  const { ready, claimed, waiting, isolated, deadLettered } = backlog;
  const { oldestDueSeconds, oldestBacklogSeconds } = backlog;
  return (
    <Card title={texts.deliveries}>
      <Tiles
        dense
        tiles={[
          { name: texts.due, value: countUpTo(countLimits.deliveries, ready) },
          { name: texts.claimed, value: countUpTo(countLimits.deliveries, claimed) },
          { name: texts.waiting, value: countUpTo(countLimits.deliveries, waiting) },
          { name: texts.isolated, value: countUpTo(countLimits.deliveries, isolated) },
          {
            name: texts.deadLetters,
            value: <a href={paths.deadLetters}>{formatNumber(deadLettered)}</a>,
            bad: deadLettered > 0,
          },
          {
            name: texts.lag,
            value: formatWait(oldestDueSeconds),
            bad: oldestDueSeconds > lateSeconds,
          },
          { name: texts.oldest, value: formatWait(oldestBacklogSeconds) },
        ]}
      />
      <p class="field-hint">{texts.lagHint}</p>
    </Card>
  );
}

/** The deliveries that wait in each lane. */
function LanesCard({ lanes }: Pick<Status, 'lanes'>) {
  return (
    <Card title={laneTexts.title}>
      {lanes ? (
        <ul class="rows">
          {lanes.map((lane) => (
            <LaneRow key={lane.lane} lane={lane} />
          ))}
        </ul>
      ) : (
        <p>{texts.unreadable}</p>
      )}
    </Card>
  );
}

function LaneRow({ lane }: { readonly lane: NonNullable<Status['lanes']>[number] }) {
  const { ready, claimed, complete, oldestDueSeconds, oldestBacklogSeconds } = lane;
  const due = formatNumber(ready);
  const facts = [
    [texts.due, complete ? due : fill(texts.atLeast, { count: due })],
    [texts.claimed, formatNumber(claimed)],
    [texts.lag, formatWait(oldestDueSeconds)],
    [texts.oldest, formatWait(oldestBacklogSeconds)],
  ] as const;

  return (
    <li>
      <div class="row-main">
        <strong>{laneTexts.names[lane.lane]}</strong>
        <span class="soft small">{laneTexts.hints[lane.lane]}</span>
      </div>
      <dl class="row-facts small">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt class="soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** The running workers, and the roles that none of them has. */
function WorkersCard({ workers }: Pick<Status, 'workers'>) {
  return (
    <Card title={workerTexts.title}>
      {workers ? <Workers workers={workers} /> : <p>{texts.unreadable}</p>}
    </Card>
  );
}

function Workers({ workers }: { readonly workers: NonNullable<Status['workers']> }) {
  if (workers.length === 0) {
    return (
      <Notice kind="bad" title={workerTexts.none}>
        <p>{workerTexts.noneDetail}</p>
      </Notice>
    );
  }

  const present = new Set(workers.flatMap((worker) => worker.roles));
  const missing = everyRole.filter((role) => !present.has(role));
  return (
    <>
      <p>{fill(workerTexts.count, { count: workers.length })}</p>
      {missing.length > 0 && (
        <Notice kind="warn" title={fill(workerTexts.missing, { roles: missing.join(', ') })} />
      )}
      <ul class="rows">
        {workers.map(({ id, roles, version, startedAt, seenSeconds }) => (
          <li key={id}>
            <div class="row-main">
              <code>
                <DataText value={id} />
              </code>
              <span class="soft small">{roles.join(', ')}</span>
            </div>
            <div class="row-main small">
              <span>{fill(workerTexts.seen, { wait: formatWait(seenSeconds) })}</span>
              <span class="soft">
                {workerTexts.started} <Instant at={startedAt} style="short" /> ·{' '}
                {version === null ? workerTexts.noVersion : fill(workerTexts.version, { version })}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Mails, recoveries, and accounts that are over their limit. */
function OthersCard({ status }: { readonly status: Status }) {
  const { notices, recoveries, fullAccounts } = status;
  return (
    <Card title={texts.others}>
      <Tiles
        dense
        tiles={[
          {
            name: texts.noticesPending,
            value: notices ? countUpTo(countLimits.notices, notices.pending) : '–',
          },
          {
            name: texts.noticesOldest,
            value: notices ? formatWait(notices.oldestPendingSeconds) : '–',
          },
          {
            name: texts.noticesRefused,
            value: notices ? countUpTo(countLimits.notices, notices.refused) : '–',
          },
          {
            name: texts.recoveriesRunning,
            value: recoveries ? formatNumber(recoveries.running) : '–',
          },
          {
            name: texts.recoveriesPaused,
            value: recoveries ? formatNumber(recoveries.paused) : '–',
          },
          {
            name: texts.fullAccounts,
            value: fullAccounts === null ? '–' : formatNumber(fullAccounts),
            bad: fullAccounts !== null && fullAccounts > 0,
          },
        ]}
      />
    </Card>
  );
}

/** The count, or "at least" the limit at which the service stopped counting. */
function countUpTo(limit: number, count: number): string {
  const shown = formatNumber(count);
  return count < limit ? shown : fill(texts.atLeast, { count: shown });
}

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
