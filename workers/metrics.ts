import type { Backlog } from '../src/domain/delivery/backlog.js';
import type { NoticeBacklog } from '../src/domain/notice/notices.js';
import type { ActiveRecoveries } from '../src/domain/recovery/recoveries.js';
import type { WakeupKind } from '../src/domain/transaction/wakeup.js';
import type { MetricReading } from '../src/process/open-telemetry.js';
import { collectProcessMetrics } from '../src/process/telemetry.js';

import prom = require('prom-client');

/** Values read from PostgreSQL, the queue and the lanes for each scrape. */
interface MetricSources {
  readonly backlog: () => Promise<Backlog>;
  /** Accounts whose events are refused. */
  readonly fullAccounts: () => Promise<number>;
  readonly notices: () => Promise<NoticeBacklog>;
  readonly recoveries: () => Promise<ActiveRecoveries>;
  readonly queueDepths: () => Promise<Record<WakeupKind, number>>;
  /** The slots of each lane, and how many of them are held. */
  readonly inFlight: () => Readonly<Record<string, { held: number; slots: number }>>;
  /** Statements that PostgreSQL refused to write, since the start. */
  readonly refusedWrites: () => number;
  /** Whether deliveries may be sent: the proxy works, or there is none. */
  readonly proxyUp: () => boolean;
}

const prefix = 'signalpost_';
const readingMaxAgeMs = 5_000;

/** The metrics of a worker process, in Prometheus' text format. */
export class WorkerMetrics {
  readonly registry = new prom.Registry();
  readonly attempts = this.#counter('attempts_total', 'Attempts by outcome', ['outcome']);
  readonly unanswered = this.#counter(
    'attempts_unanswered_total',
    'Attempts without a response status, by reason',
    ['reason'],
  );
  readonly recorded = this.#counter(
    'deliveries_total',
    'Recorded deliveries by status; a failed delivery counts again when it becomes abandoned',
    ['status'],
  );
  readonly duration = new prom.Histogram({
    name: `${prefix}attempt_duration_seconds`,
    help: 'Time from before the connect to the end of an attempt',
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 15, 30],
    registers: [this.registry],
  });
  readonly disabled = this.#counter('endpoints_disabled_total', 'Endpoints that were disabled');
  readonly accepted = this.#counter(
    'events_accepted_total',
    'Events that this process has published and committed',
  );
  readonly expired = this.#counter(
    'checkouts_expired_total',
    'Checkouts that expired without an order',
  );
  readonly lostClaims = this.#counter(
    'claims_lost_total',
    'Attempts that were not recorded because another worker had claimed the delivery since',
  );
  readonly dropped = this.#counter(
    'attempts_dropped_total',
    'Attempts that were not recorded before their leases ended; workers repeat them',
  );
  readonly internalErrors = this.#counter(
    'internal_errors_total',
    'Errors of the service while it claims or attempts deliveries; expected to stay at 0',
  );
  readonly proxyFaults = this.#counter(
    'proxy_faults_total',
    'Faults of the proxy of WEBHOOKS_PROXY_URL at attempts and checks, by reason; these attempts are not counted',
    ['reason'],
  );
  readonly pollFinds = this.#counter(
    'poll_finds_total',
    'Pending deliveries that polls found without a wake-up, by reason',
    ['found'],
  );
  readonly notices = this.#counter('notices_total', 'Notices by outcome', ['outcome']);
  readonly recovered = this.#counter(
    'recovered_events_total',
    'Deliveries that recoveries added, by whether the event had failed or was missed',
    ['what'],
  );
  readonly lostWakeups = this.#counter(
    'wakeups_lost_total',
    'Wake-ups that the queue did not accept; polls find their work',
    ['kind'],
  );
  readonly #ready = this.#gauge(
    'pending_deliveries_ready',
    'Pending deliveries that are due and not claimed',
  );
  readonly #claimed = this.#gauge(
    'pending_deliveries_claimed',
    'Pending deliveries that are claimed',
  );
  readonly #waiting = this.#gauge(
    'pending_deliveries_waiting',
    'Pending deliveries that wait for their next attempt',
  );
  readonly #isolated = this.#gauge(
    'deliveries_isolated',
    'Isolated deliveries, which one worker sends one at a time',
  );
  readonly #deadLettered = this.#gauge('dead_letters', 'Dead letters, which wait for an operator');
  readonly #oldestDue = this.#gauge(
    'oldest_due_seconds',
    'Lag: seconds since the oldest pending delivery became due, of active endpoints that do not fail',
  );
  readonly #oldestBacklog = this.#gauge(
    'backlog_oldest_seconds',
    'Seconds since the oldest pending delivery of any endpoint became due',
  );
  readonly #fullAccounts = this.#gauge(
    'accounts_full',
    'Accounts whose events are refused because too many deliveries or bytes are pending',
  );
  readonly #pending = this.#gauge('notices_pending', 'Notices that are not sent yet');
  readonly #refused = this.#gauge(
    'notices_refused',
    'Notices that the mail server refused permanently, or whose offer had ended',
  );
  readonly #oldestPending = this.#gauge(
    'oldest_notice_seconds',
    'Age of the oldest notice that is not sent yet',
  );
  readonly #recoveries = this.#gauge('recoveries', 'Recoveries that have not ended', ['status']);
  readonly #depth = this.#gauge('queue_depth', 'Wake-ups that no worker has taken yet', ['kind']);
  readonly #postgresqlUp = this.#gauge(
    'postgresql_up',
    'Whether PostgreSQL answers (1) or not (0)',
  );
  readonly #refusedWrites = this.#counter(
    'writes_refused_total',
    'Statements that PostgreSQL refused because its disk is full or fails, or because it is read-only',
  );
  readonly #proxyUp = this.#gauge(
    'proxy_up',
    'Whether the proxy of WEBHOOKS_PROXY_URL works (1) or not (0); 1 without one',
  );
  readonly #queueUp = this.#gauge('queue_up', 'Whether the queue answers (1) or not (0)');
  readonly #inFlight = this.#gauge('attempts_in_flight', 'Attempts in flight, by lane', ['lane']);
  readonly #slots = this.#gauge('attempts_limit', 'Limit of the attempts in flight, by lane', [
    'lane',
  ]);
  #sources: MetricSources | undefined;
  #readAt = -Infinity;

  constructor() {
    collectProcessMetrics(this.registry);
    this.#proxyUp.set(1);
    // The counters exist from the start, because Prometheus would miss the first mail otherwise.
    for (const outcome of ['sent', 'failed', 'refused']) this.notices.inc({ outcome }, 0);
  }

  /** Adds sources that each scrape reads; until then the text has only the counters of this process. */
  setSources(sources: MetricSources): void {
    this.#sources = sources;
  }

  /** The current values; those from PostgreSQL and the queue are at most 5 seconds old. */
  async text(): Promise<string> {
    return (await this.#current()).metrics();
  }

  /** The same values as {@link text}, for other formats. */
  async read(): Promise<readonly MetricReading[]> {
    return (await this.#current()).getMetricsAsJSON();
  }

  async #current(): Promise<prom.Registry> {
    if (this.#sources) await this.#refresh(this.#sources);
    return this.registry;
  }

  async #refresh(sources: MetricSources): Promise<void> {
    for (const [lane, { held, slots }] of Object.entries(sources.inFlight())) {
      this.#inFlight.set({ lane }, held);
      this.#slots.set({ lane }, slots);
    }

    this.#proxyUp.set(sources.proxyUp() ? 1 : 0);
    this.#refusedWrites.reset();
    this.#refusedWrites.inc(sources.refusedWrites());
    if (performance.now() - this.#readAt < readingMaxAgeMs) return;

    this.#readAt = performance.now();

    const [backlogResult, mails, jobs, depths, full] = await Promise.allSettled([
      sources.backlog(),
      sources.notices(),
      sources.recoveries(),
      sources.queueDepths(),
      sources.fullAccounts(),
    ]);

    if (full.status === 'fulfilled') this.#fullAccounts.set(full.value);
    this.#postgresqlUp.set(backlogResult.status === 'fulfilled' ? 1 : 0);

    if (backlogResult.status === 'fulfilled') {
      this.#ready.set(backlogResult.value.ready);
      this.#claimed.set(backlogResult.value.claimed);
      this.#waiting.set(backlogResult.value.waiting);
      this.#isolated.set(backlogResult.value.isolated);
      this.#deadLettered.set(backlogResult.value.deadLettered);
      this.#oldestDue.set(backlogResult.value.oldestDueSeconds);
      this.#oldestBacklog.set(backlogResult.value.oldestBacklogSeconds);
    }

    if (mails.status === 'fulfilled') {
      this.#pending.set(mails.value.pending);
      this.#refused.set(mails.value.refused);
      this.#oldestPending.set(mails.value.oldestPendingSeconds);
    }

    if (jobs.status === 'fulfilled') {
      for (const [status, count] of Object.entries({ ...jobs.value }))
        this.#recoveries.set({ status }, count);
    }

    this.#queueUp.set(depths.status === 'fulfilled' ? 1 : 0);
    if (depths.status === 'fulfilled')
      for (const [kind, count] of Object.entries(depths.value)) this.#depth.set({ kind }, count);
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[] = []) {
    return new prom.Counter({ name: prefix + name, help, labelNames, registers: [this.registry] });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: Label[] = []) {
    return new prom.Gauge({ name: prefix + name, help, labelNames, registers: [this.registry] });
  }
}
