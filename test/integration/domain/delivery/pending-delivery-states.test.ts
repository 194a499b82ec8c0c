import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { type EndedAttempt, startAttempt } from '../../../../src/domain/delivery/attempt.js';
import {
  cancelFromBacklog,
  cancelStale,
  giveUpDelivery,
  nextPendingCancellation,
} from '../../../../src/domain/delivery/cancel.js';
import {
  type Claim,
  engineServerSettings,
  type Lane,
  type Capacity,
} from '../../../../src/domain/delivery/claim.js';
import { ClaimCursors, Claimer } from '../../../../src/domain/delivery/claim-deliveries.js';
import {
  extendLeases,
  deferClaim,
  releaseClaims,
  releaseUnconfirmed,
} from '../../../../src/domain/delivery/leases.js';
import type { Outcome } from '../../../../src/domain/delivery/outcome.js';
import { releaseDeadLetter } from '../../../../src/domain/delivery/dead-letters.js';
import { promoteDue, type Promoted } from '../../../../src/domain/delivery/promote.js';
import { SubjectOrder } from '../../../../src/domain/delivery/subject-order.js';
import { startReplay } from '../../../../src/domain/delivery/replay.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import type { EndpointPatch } from '../../../../src/domain/endpoint/endpoint-input.js';
import { deleteEndpoint, updateEndpoint } from '../../../../src/domain/endpoint/change-endpoint.js';
import { rotateSigningSecret } from '../../../../src/domain/endpoint/rotate-secrets.js';
import { DomainError } from '../../../../src/domain/errors.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { makeId } from '../../../../src/domain/values/id.js';
import type { RetryPolicy } from '../../../../src/domain/transaction/rules.js';
import { MemoryStore } from '../../../simulation/memory-store.js';
import { createTestDatabase, type TestDatabase, testRules } from '../../../support/database.js';
import { insertAccount, insertEndpoint, eventType, outcomes } from '../../../support/engine.js';
import * as fc from 'fast-check';

/** Another type of the catalogue; two of the three endpoints subscribe to both types. */
const otherType = 'invoice.issued';

/** The delays are so long that the duration of a test itself does not matter. */
const policy: RetryPolicy = {
  delaysMs: [100_000, 250_000],
  otherDelaysMs: new Map(),
  jitter: 0,
  disableAfterMs: 90_000,
  disableAfterFailures: 3,
};
const leaseMs = 90_000;
/** More than a test ever has. */
const cancelAtOnce = 1_000;

/** One claim in both stores. */
interface OpenClaim {
  readonly lane: Lane;
  sql: Claim;
  readonly memory: Claim;
}

/** Runs the same operations on PostgreSQL and on the memory store; any difference is a bug. */
class StorePair {
  readonly #database: TestDatabase;
  readonly #domain: Database;
  readonly #account: string;
  #memory = this.#emptyMemory();
  #claimers = new Map<Lane, { claimer: Claimer; cursors: ClaimCursors }>();
  #passed = 0;
  #begunAt = performance.now();
  #ended = 0;
  #rows: Rows | undefined;
  #openClaims: OpenClaim[] = [];
  #cancelAtOnce = cancelAtOnce;

  private constructor(database: TestDatabase, domain: Database, account: string) {
    this.#database = database;
    this.#domain = domain;
    this.#account = account;
  }

  static async open(): Promise<StorePair> {
    const database = await createTestDatabase();
    const domain = await database.open({
      rules: testRules({ retry: policy }),
      serverSettings: engineServerSettings,
    });
    return new StorePair(database, domain, await insertAccount(database));
  }

  drop(): Promise<void> {
    return this.#database.drop();
  }

  /** Empties both stores and inserts the same three endpoints. */
  async reset(): Promise<void> {
    await this.#database.query(
      `delete from pending_delivery; delete from lease; delete from delivery; delete from event; delete from notice;
       delete from endpoint_secret; delete from endpoint`.replaceAll(/\s+/g, ' '),
    );

    this.#memory = this.#emptyMemory();
    this.#claimers = new Map();
    this.#passed = 1_800_000_000_000;
    this.#begunAt = performance.now();
    this.#ended = 0;
    this.#rows = undefined;
    this.#openClaims = [];

    for (const types of [[eventType, otherType], [eventType], [otherType, eventType]]) {
      const subscribed = `event_types = '{${types.join()}}'`;
      this.#memory.addEndpoint(
        await insertEndpoint(this.#database, this.#account, subscribed),
        types,
        this.#account,
      );
    }
  }

  /** Turns the order of subjects at an endpoint on or off. */
  async order(from: number, ordered: boolean): Promise<void> {
    const id = this.#endpoint(from);
    const ordering = ordered ? 'subject' : null;
    await this.#database.query('update endpoint set ordering = $2 where id = $1', [id, ordering]);
    this.#memory.setOrdered(id, ordered);
  }

  async advance(): Promise<void> {
    const onError = (error: unknown) => expect.fail(String(error));
    const order = new SubjectOrder({ database: () => this.#domain, onError });
    expect(await order.poll()).to.equal(this.#memory.advanceWaiting());
  }

  async giveUp(from: number): Promise<void> {
    const ids = [...this.#memory.pendingDeliveries.keys()];
    const id = ids[from % Math.max(1, ids.length)];
    if (id === undefined) return;
    const given = await this.#refusable((tx) => giveUpDelivery(tx, this.#account, id));
    expect(given).to.equal(this.#memory.giveUp(id) ? undefined : 'delivery_in_progress');
    // In the service this follows the commit.
    await this.#advanceAfterCancelling();
  }

  /** What a cancellation lets go at once, which the store in memory leaves to a poll. */
  async #advanceAfterCancelling(): Promise<void> {
    const onError = (error: unknown) => expect.fail(String(error));
    await new SubjectOrder({ database: () => this.#domain, onError }).poll();
    this.#memory.advanceWaiting();
  }

  async publish(type: string, test: boolean, subject = 's'): Promise<void> {
    const input = { type, subject, data: {}, test };
    const { id } = await this.#domain.transact((tx) => publishEvent(tx, this.#account, input));
    const pendingDeliveries = await this.#database.query<{ id: string; endpointId: string }>(
      `select id, endpoint_id as "endpointId" from pending_delivery where event_id = $1`,
      [id],
    );

    const ids = new Map(pendingDeliveries.map((pending) => [pending.endpointId, pending.id]));
    const opened = this.#memory.publish({
      id,
      type,
      test,
      subject,
      pendingDeliveryId: (to) => ids.get(to) ?? '?',
    });

    expect(opened.map((pending) => pending.id)).to.have.members(
      pendingDeliveries.map((pending) => pending.id),
    );
  }

  async claim(lane: Lane, slots: number, perEndpoint: number, perAccount = slots): Promise<void> {
    const usedSlots = new Map<string, number>();

    for (const { sql } of this.#openClaims.filter((claim) => claim.lane === lane)) {
      usedSlots.set(sql.endpointId, (usedSlots.get(sql.endpointId) ?? 0) + 1);
    }

    const capacity = { slots, perEndpoint, usedSlots, ...this.#accountLimits(perAccount) };
    const made = { claimer: new Claimer({ lane, leaseMs }), cursors: new ClaimCursors() };
    const side = this.#claimers.get(lane) ?? made;
    this.#claimers.set(lane, side);

    const claims = await side.claimer.claim(this.#domain.read, capacity);

    // Of pending deliveries that are due at the same time, PostgreSQL may claim any.
    for (const { pendingDeliveryId } of claims) {
      const pending = this.#memory.pendingDeliveries.get(pendingDeliveryId);
      if (pending) pending.dueAt -= 0.5;
    }

    const token = ++this.#ended;
    const expected = this.#memory.claim({
      lane,
      cursors: side.cursors,
      capacity,
      leaseMs,
      token,
    });

    for (const { pendingDeliveryId } of claims) {
      const pending = this.#memory.pendingDeliveries.get(pendingDeliveryId);
      if (pending) pending.dueAt += 0.5;
    }

    expect(claims.map(comparableState)).to.have.deep.members(expected.map(comparableState));

    for (const sql of claims) {
      const memory = expected.find(
        ({ pendingDeliveryId }) => pendingDeliveryId === sql.pendingDeliveryId,
      );
      if (memory) this.#openClaims.push({ lane, sql, memory });
    }
  }

  /** With a small limit of the account, its first endpoint counts as fast. */
  #accountLimits(perAccount: number): Pick<Capacity, 'perAccount' | 'accounts' | 'fastEndpoints'> {
    if (perAccount > 2) return { perAccount };
    const [endpointId = ''] = this.#memory.endpoints.keys();
    const accountId = this.#account;
    return {
      accounts: new Map([[accountId, perAccount]]),
      fastEndpoints: [{ accountId, endpointId }],
    };
  }

  /** Records results of at most `count` open claims from index `from`; their leases may have expired. */
  async recordResults(from: number, count: number, outcomes: readonly Outcome[]): Promise<void> {
    const batch = this.#take(from, count);
    const pairs = batch.map(({ sql, memory }, place) => {
      const deliveryId = makeId('whd', new Date());
      const outcome = outcomes[place % outcomes.length] ?? { kind: 'accepted', status: 200 };
      // Each attempt ends in another millisecond, so that no two retries are due at the same time.
      const rest = { deliveryId, outcome, durationMs: ++this.#ended };
      const end = (claim: Claim): EndedAttempt => ({ ...startAttempt(claim, 0), ...rest });
      return { sql: end(sql), memory: end(memory) };
    });

    const sql = pairs.map((pair) => pair.sql);
    const real = await recordBatch(this.#domain, sql);
    const expected = this.#memory.recordResults(pairs.map((pair) => pair.memory));
    const described = ({ recorded }: typeof real) =>
      recorded.map(({ ended, status }) => `${ended.claim.pendingDeliveryId} ${status}`);
    expect(described(real)).to.have.members(described(expected));
    expect(real.disabled).to.have.members(expected.disabled);
  }

  /** Forgets these claims, as a crashed worker does. */
  crash(from: number, count = 1): void {
    this.#take(from, count);
  }

  async release(from: number): Promise<void> {
    for (const { sql, memory } of this.#take(from, 1)) {
      await releaseClaims(this.#domain.read, [sql]);
      this.#memory.release([memory]);
    }
  }

  /** The response to a claim got lost: all its deliveries are given back. */
  async releaseUnconfirmed(from: number): Promise<void> {
    for (const { sql, memory } of this.#take(from, 1)) {
      this.#openClaims = this.#openClaims.filter((claim) => claim.sql.token !== sql.token);
      const real = await releaseUnconfirmed(this.#domain.read, [sql.token]);
      const expected = this.#memory.releaseUnconfirmed([memory.token]);
      expect(real.map(({ pendingDeliveries }) => pendingDeliveries)).to.deep.equal(
        expected.map(({ pendingDeliveries }) => pendingDeliveries),
      );
    }
  }

  /** Extends the lease of a claim; expired leases stay expired. */
  async extend(from: number): Promise<void> {
    const claim = this.#openClaims[from % Math.max(1, this.#openClaims.length)];
    if (!claim) return;
    const real = await extendLeases(this.#domain.read, [claim.sql.token], leaseMs);
    const expected = this.#memory.extendLeases([claim.memory.token], leaseMs);
    expect(real).to.have.length(expected.length);
  }

  /** @param waitMs for the whole endpoint; undefined to defer the claim alone */
  async defer(from: number, waitMs?: number): Promise<void> {
    for (const { lane, sql, memory } of this.#take(from, 1)) {
      const endpoint = waitMs === undefined ? undefined : { lane, waitMs };
      await deferClaim(this.#domain.read, sql, endpoint);
      this.#memory.defer(memory, endpoint);
    }
  }

  /** @param msAgo keeps leases that ended later than that; defaults to none */
  async promote(msAgo = -Infinity): Promise<void> {
    const real = await promoteDue(this.#domain.read, Date.now() - msAgo);
    const expected = this.#memory.promote(this.#now() - msAgo);
    const comparable = (promoted: Promoted) => ({
      ...promoted,
      deadLettered: [...promoted.deadLettered].sort(),
      nowMs: 'each store has a clock',
    });
    expect(comparable(real)).to.deep.equal(comparable(expected));
  }

  async cancelStale(): Promise<void> {
    const { cancelled } = await this.#domain.transact((tx) => cancelStale(tx, ''));
    expect(cancelled).to.equal(this.#memory.cancelStale('').cancelled);
  }

  async replay(from: number): Promise<void> {
    const ids = [...this.#memory.deliveries.keys()];
    const id = ids[from % Math.max(1, ids.length)];
    if (id === undefined) return;
    const begun = await this.#refusable((tx) => startReplay(tx, this.#account, id));
    const pendingDeliveryId = typeof begun === 'object' ? begun.pendingDeliveryId : 'refused';
    const expected = this.#memory.replay(id, pendingDeliveryId);
    expect(typeof begun === 'object' ? 'begun' : begun).to.equal(
      typeof expected === 'object' ? 'begun' : expected,
    );
  }

  async update(from: number, patch: EndpointPatch): Promise<void> {
    const id = this.#endpoint(from);
    const options = { mayChangeEmail: true };
    await this.#refusable((tx) => updateEndpoint(tx, this.#account, id, patch, options));
    const { active, eventTypes, url } = patch;
    this.#memory.updateEndpoint(id, {
      ...(active != null && { active }),
      ...(eventTypes != null && { eventTypes }),
      ...(url != null && { url }),
    });
  }

  /** Does as {@link update} while the pending deliveries are locked: they go to the cancellation backlog. */
  async updateWhileLocked(from: number, patch: EndpointPatch): Promise<void> {
    const id = this.#endpoint(from);
    const lock = await this.#database.hold(
      `select from pending_delivery where endpoint_id = '${id}' for update`,
    );
    this.#cancelAtOnce = 0;
    try {
      await this.update(from, patch);
    } finally {
      this.#cancelAtOnce = cancelAtOnce;
      await lock.release();
    }
  }

  async drainCancellations(): Promise<void> {
    for (;;) {
      const sql = await nextPendingCancellation(this.#domain.read, '');
      const memory = this.#memory.nextPendingCancellation('');
      expect(sql?.endpointId).to.equal(memory?.endpointId);
      if (!sql || !memory) return;
      const { cancelled } = await this.#domain.transact((tx) => cancelFromBacklog(tx, sql, ''));
      expect(cancelled).to.equal(this.#memory.cancelFromBacklog(memory, '').cancelled);
    }
  }

  async delete(from: number): Promise<void> {
    const id = this.#endpoint(from);
    await this.#refusable((tx) => deleteEndpoint(tx, this.#account, id));
    this.#memory.deleteEndpoint(id);
  }

  async rotate(from: number): Promise<void> {
    const id = this.#endpoint(from);
    await this.#refusable((tx) => rotateSigningSecret(tx, this.#account, id));
    this.#memory.rotateSecret(id);
  }

  async releaseDeadLetter(): Promise<void> {
    for (const { id, deadLettered } of this.#memory.pendingDeliveries.values()) {
      if (!deadLettered) continue;
      const released = await this.#refusable((tx) => releaseDeadLetter(tx, id));
      expect(typeof released === 'object' ? 'released' : released).to.equal(
        this.#memory.releaseDeadLetter(id),
      );
    }
  }

  /** Lets `ms` pass: moves all stored times into the past. */
  async pass(ms: number): Promise<void> {
    const ago = `interval '${ms} milliseconds'`;
    await this.#database.query(`update pending_delivery set due_at = due_at - ${ago}`);
    await this.#database.query(`update lease set until = until - ${ago}`);
    await this.#database.query(`update endpoint set failing_since = failing_since - ${ago}`);
    await this.#database.query(`update endpoint_secret set expires_at = expires_at - ${ago}`);
    this.#passed += ms;
    for (const claim of this.#openClaims) {
      const claimedAt = new Date(claim.sql.claimedAt.getTime() - ms);
      claim.sql = { ...claim.sql, claimedAt };
    }
  }

  /** @throws AssertionError when the rows differ or break an invariant */
  async compare(): Promise<void> {
    // So that the next command runs in another millisecond, in PostgreSQL and in memory.
    await this.#database.query('select pg_sleep(0.002)');
    const rows = await rowsInPostgres(this.#database);
    const expected = rowsInMemory(this.#memory, this.#now());
    expect(rows.shown).to.deep.equal(expected.shown);
    for (const [name, time] of rows.times) {
      expect(time, name).to.be.closeTo(expected.times.get(name) ?? NaN, 5_000);
    }
    expect(breaksOf(this.#rows, rows)).to.deep.equal([]);
    this.#rows = rows;
  }

  #now(): number {
    return this.#passed + Math.floor(performance.now() - this.#begunAt);
  }

  #take(from: number, count: number): OpenClaim[] {
    if (this.#openClaims.length === 0) return [];
    return this.#openClaims.splice(from % this.#openClaims.length, count);
  }

  #endpoint(from: number): string {
    const ids = [...this.#memory.endpoints.keys()];
    return ids[from % ids.length] ?? '';
  }

  /** What `work` returns, or the code of its refusal. */
  async #refusable<T>(
    work: (tx: Parameters<Parameters<Database['transact']>[0]>[0]) => Promise<T>,
  ): Promise<T | string> {
    try {
      return await this.#domain.transact(work);
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  }

  #emptyMemory(): MemoryStore {
    const options = { now: () => this.#now(), cancelAtOnce: () => this.#cancelAtOnce };
    return new MemoryStore({ ...options, policy, random: () => 0.5 });
  }
}

/** The properties of a claim that both stores must agree on. */
function comparableState({
  pendingDeliveryId,
  endpointId,
  url,
  secrets,
  event,
  ...claim
}: Claim): object {
  const { attempt, maxAttempts, replayedFrom, test } = claim;
  const { id, type, version } = event;
  return {
    pendingDeliveryId,
    endpointId,
    url,
    event: `${id} ${type} ${version}`,
    secrets: secrets.length,
    attempt,
    maxAttempts,
    replayedFrom,
    test,
  };
}

interface ShownPendingDelivery {
  readonly id: string;
  readonly attempt: number;
  readonly lastDeliveryId: string | null;
}

interface ShownDelivery {
  readonly id: string;
  readonly pendingDeliveryId: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly status: string;
}

/** The rows of the delivery engine at one moment. */
interface Rows {
  /** Values that must be exactly equal. */
  readonly shown: {
    readonly pendingDeliveries: readonly ShownPendingDelivery[];
    readonly deliveries: readonly ShownDelivery[];
    readonly endpoints: readonly object[];
  };
  /** Times by name, in ms relative to this moment. */
  readonly times: ReadonlyMap<string, number>;
}

/** Reads the rows from PostgreSQL. */
async function rowsInPostgres(database: TestDatabase): Promise<Rows> {
  const fromNow = (column: string) => `(extract(epoch from ${column} - now()) * 1000)::float8`;
  const pendingDeliveries = await database.query<ShownPendingDelivery & { due: number | null }>(
    `select id, endpoint_id as "endpointId", lane, ready, attempt, max_attempts as "maxAttempts",
            lease_token is not null as leased, last_delivery_id as "lastDeliveryId",
            interruptions, dead_letter_reason is not null as "deadLettered", replayed_from as "replayedFrom",
            test, subject_key is not null as ordered, due_at = 'infinity' as "waitsForTurn",
            case when due_at < 'infinity' then ${fromNow('due_at')} end as due
       from pending_delivery order by id`,
  );

  const deliveries = await database.query<ShownDelivery>(
    `select id, pending_delivery_id as "pendingDeliveryId", endpoint_id as "endpointId", attempt,
            max_attempts as "maxAttempts", status, test, replayed_from as "replayedFrom"
       from delivery order by id`,
  );

  const endpoints = await database.query<{ id: string; failing: number | null }>(
    `select e.id, e.active, e.deleted_at is not null as deleted,
            e.cancelling_since is not null as cancelling, e.disabled_reason as "disabledReason", e.failure_count as "failureCount",
            (select count(*)::int from endpoint_secret s where s.endpoint_id = e.id
                and (s.expires_at is null or s.expires_at > now())) as secrets,
            e.warnings,
            (select count(*)::int from notice n
              where n.resource_id = e.id and n.kind = 'endpoint_disabled') as notices,
            (select count(*)::int from notice n
              where n.resource_id = e.id and n.kind <> 'endpoint_disabled') as "healthNotices",
            ${fromNow('e.failing_since')} as failing
       from endpoint e order by id`,
  );

  const times = new Map<string, number>(
    pendingDeliveries.flatMap(({ id, due }) => (due === null ? [] : [[`${id} due`, due] as const])),
  );

  for (const { id, failing } of endpoints) {
    if (failing !== null) times.set(`${id} failing since`, failing);
  }

  return {
    shown: {
      pendingDeliveries: pendingDeliveries.map((pending) => without(pending, 'due')),
      deliveries,
      endpoints: endpoints.map((endpoint) => without(endpoint, 'failing')),
    },
    times,
  };
}

const order = ['subjectKey', 'subjectNumber'] as const;

/** Reads the rows from memory. */
function rowsInMemory(store: MemoryStore, now: number): Rows {
  const pendingDeliveries = [...store.pendingDeliveries.values()].sort(byId);
  const endpoints = [...store.endpoints.values()].sort(byId);
  const failing = endpoints.flatMap(({ id, failingSince }) =>
    failingSince === null ? [] : [[`${id} failing since`, failingSince - now] as const],
  );

  return {
    shown: {
      pendingDeliveries: pendingDeliveries.map((pending) => ({
        ...without(pending, 'eventId', 'eventType', 'createdAt', 'dueAt', 'leaseToken', ...order),
        leased: pending.leaseToken !== null,
        ordered: pending.subjectKey !== null,
        waitsForTurn: pending.dueAt === Infinity,
      })),
      deliveries: [...store.deliveries.values()]
        .sort(byId)
        .map((delivery) => without(delivery, 'eventId', 'eventType')),
      endpoints: endpoints.map(
        ({ id, active, deleted, disabledReason, failureCount, warnings, ...endpoint }) => ({
          id,
          active,
          deleted,
          disabledReason,
          failureCount,
          warnings,
          cancelling: endpoint.cancellingSince !== null,
          secrets: endpoint.secrets.filter(({ endsAt }) => endsAt > now).length,
          notices: store.notices.filter((about) => about === id).length,
          healthNotices: store.healthNotices.filter((about) => about === id).length,
        }),
      ),
    },
    times: new Map([
      ...pendingDeliveries
        .filter(({ dueAt }) => dueAt < Infinity)
        .map(({ id, dueAt }) => [`${id} due`, dueAt - now] as const),
      ...failing,
    ]),
  };
}

/**
 * Returns the broken invariants of the rows:
 * - attempts count from 1 without a gap and within their maximum
 * - success and abandoned never change
 * - a failed delivery is the last one of an open pending delivery, or an earlier one
 */
function breaksOf(before: Rows | undefined, { shown }: Rows): string[] {
  const breaks: string[] = [];
  const open = new Map(shown.pendingDeliveries.map((pending) => [pending.id, pending]));
  const pendingDeliveryIds = new Set([
    ...open.keys(),
    ...shown.deliveries.map(({ pendingDeliveryId }) => pendingDeliveryId),
  ]);

  const statuses = new Map(shown.deliveries.map(({ id, status }) => [id, status]));

  for (const { id, status } of before?.shown.deliveries ?? []) {
    const after = statuses.get(id);
    const mayFollow = status === 'failed' ? ['failed', 'abandoned'] : [status];
    if (!mayFollow.includes(after ?? '')) breaks.push(`${id} went from ${status} to ${after}`);
  }

  for (const pendingDeliveryId of pendingDeliveryIds) {
    const records = shown.deliveries
      .filter((record) => record.pendingDeliveryId === pendingDeliveryId)
      .sort((one, other) => one.attempt - other.attempt);
    const pending = open.get(pendingDeliveryId);
    const last = records.at(-1);

    for (const [place, { id, attempt, maxAttempts, status }] of records.entries()) {
      if (attempt !== place + 1 || attempt > maxAttempts)
        breaks.push(`${id} is attempt ${attempt}`);
      const isOpen = id !== last?.id || pending !== undefined;
      if ((status === 'failed') !== isOpen) breaks.push(`${id} is ${status}`);
    }

    if (pending && pending.attempt !== records.length + 1)
      breaks.push(`${pendingDeliveryId} skips an attempt`);
    if (pending && pending.lastDeliveryId !== (last?.id ?? null))
      breaks.push(`${pendingDeliveryId} forgot`);
  }

  return breaks;
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

function without<Row extends object, Column extends keyof Row>(
  row: Row,
  ...columns: readonly Column[]
): Omit<Row, Column> {
  const rest = Object.entries(row).filter(([column]) => !columns.includes(column as Column));
  return Object.fromEntries(rest) as Omit<Row, Column>;
}

type Command = fc.AsyncCommand<object, StorePair>;

/** A machine that is busy manages several times as many. */
const leastCommands = 50;
const second = 1_000;
const day = 24 * 3_600 * second;

/** A command for both stores, after which their rows are compared. */
function command(name: string, run: (pair: StorePair) => Promise<void> | void): Command {
  return {
    check: () => true,
    run: async (_model, pair) => {
      await run(pair);
      await pair.compare();
    },
    toString: () => name,
  };
}

const any = fc.nat(20);
const postponed: Outcome = {
  kind: 'rejected',
  status: 429,
  retryAfter: { delayMs: 200 * second },
};
const outcome = fc.oneof(
  { weight: 2, arbitrary: fc.constant(outcomes.ok) },
  { weight: 4, arbitrary: fc.constantFrom(outcomes.down, outcomes.timeout, postponed) },
  { weight: 1, arbitrary: fc.constantFrom(outcomes.gone, outcomes.blocked) },
);
const lane = fc.constantFrom<Lane>('live', 'live', 'live', 'replay', 'isolated');
const types = fc.constantFrom([eventType], [otherType], [eventType, otherType]);

const publish = fc
  .tuple(
    fc.constantFrom(eventType, otherType),
    fc.integer({ min: 0, max: 5 }),
    fc.constantFrom('s', 's', 't'),
  )
  .map(([type, test, subject]) =>
    command(`publish ${type} of ${subject}${test === 0 ? ' as a test' : ''}`, (pair) =>
      pair.publish(type, test === 0, subject),
    ),
  );
const ofOrder = fc.tuple(fc.nat(2), fc.boolean(), any).chain(([from, ordered, pending]) =>
  fc.constantFrom(
    command(`order ${from}: ${ordered}`, (pair) => pair.order(from, ordered)),
    command('advance', (pair) => pair.advance()),
    command('advance', (pair) => pair.advance()),
    command(`give up ${pending}`, (pair) => pair.giveUp(pending)),
  ),
);
const claim = fc
  .tuple(
    lane,
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 1, max: 4 }),
    fc.oneof(fc.constant(50), fc.integer({ min: 0, max: 4 })),
  )
  .map(([from, slots, perEndpoint, perAccount]) =>
    command(`claim ${slots} ${from}, ${perEndpoint} per endpoint, ${perAccount} of all`, (pair) =>
      pair.claim(from, slots, perEndpoint, perAccount),
    ),
  );
const recordResults = fc
  .tuple(any, fc.integer({ min: 1, max: 4 }), fc.array(outcome, { minLength: 1, maxLength: 4 }))
  .map(([from, count, ends]) =>
    command(`settle ${count} from ${from}: ${ends.map(({ kind }) => kind).join(', ')}`, (pair) =>
      pair.recordResults(from, count, ends),
    ),
  );
// None of these comes near a sum of delays and leases: 20 s off at least.
const pass = fc
  .constantFrom(60 * second, 120 * second, 300 * second, 300 * second, day + 3_600 * second)
  .map((ms) => command(`${ms / second} s pass`, (pair) => pair.pass(ms)));
const promote = fc.constantFrom(
  command('promote', (pair) => pair.promote()),
  command('promote, but keep what ended in the last 100 s', (pair) => pair.promote(100 * second)),
);
const ofClaims = any.chain((from) =>
  fc.constantFrom(
    command(`crash with ${from}`, (pair) => pair.crash(from)),
    command(`release ${from}`, (pair) => pair.release(from)),
    command(`hear nothing of the claim of ${from}`, (pair) => pair.releaseUnconfirmed(from)),
    command(`defer ${from}`, (pair) => pair.defer(from)),
    command(`defer ${from} and its endpoint`, (pair) => pair.defer(from, 0)),
    command(`defer ${from} and its endpoint for long`, (pair) => pair.defer(from, 200 * second)),
    command(`extend ${from}`, (pair) => pair.extend(from)),
    command(`extend ${from} before its lease ends`, async (pair) => {
      await pair.pass(60 * second);
      await pair.extend(from);
    }),
  ),
);
const replay = any.map((from) => command(`replay ${from}`, (pair) => pair.replay(from)));
const ofEndpoints = fc.tuple(fc.nat(2), types, any).chain(([from, eventTypes, place]) =>
  fc.constantFrom(
    command(`deactivate ${from}`, (pair) => pair.update(from, { active: false })),
    command(`deactivate ${from} while its pending deliveries are held`, (pair) =>
      pair.updateWhileLocked(from, { active: false }),
    ),
    command(
      `subscribe ${from} to ${eventTypes.join(' ')} while its pending deliveries are held`,
      (pair) => pair.updateWhileLocked(from, { eventTypes }),
    ),
    command(`activate ${from}`, (pair) => pair.update(from, { active: true })),
    command(`activate ${from}`, (pair) => pair.update(from, { active: true })),
    command(`subscribe ${from} to ${eventTypes.join(' ')}`, (pair) =>
      pair.update(from, { eventTypes }),
    ),
    command(`move ${from}`, (pair) => pair.update(from, { url: `https://shop.example/${place}` })),
    command(`rotate ${from}`, (pair) => pair.rotate(from)),
  ),
);
const die = fc.integer({ min: 1, max: 4 }).map((times) =>
  command(`die ${times} times with everything`, async (pair) => {
    for (let count = 0; count < times; count += 1) {
      for (const from of ['live', 'replay', 'isolated'] as const) await pair.claim(from, 50, 50);
      pair.crash(0, 150);
      await pair.pass(300 * second);
      await pair.promote();
    }
  }),
);
const standStill = fc.constant(
  command('stand still with everything until others have it', async (pair) => {
    await pair.claim('live', 50, 50);
    await pair.pass(300 * second);
    await pair.promote();
    await pair.claim('live', 50, 50);
  }),
);
const seldom = fc.nat(2).chain((from) =>
  fc.constantFrom(
    command(`delete ${from}`, (pair) => pair.delete(from)),
    command('poll what is cancelled', (pair) => pair.cancelStale()),
    command('poll what is cancelled', (pair) => pair.cancelStale()),
    command(
      `switch ${from} off and on while its pending deliveries are held, and pay`,
      async (pair) => {
        await pair.updateWhileLocked(from, { active: false });
        await pair.update(from, { active: true });
        await pair.compare();
        await pair.drainCancellations();
      },
    ),
    command('pay what is owed', (pair) => pair.drainCancellations()),
    command('release what is dead-lettered', (pair) => pair.releaseDeadLetter()),
  ),
);

/** So many sequences, or for so long; the long form says more. */
const runs = Number(process.env['PENDING_DELIVERY_STATES_RUNS'] ?? 10_000);
const limitMs = Number(process.env['PENDING_DELIVERY_STATES_SECONDS'] ?? 8) * second;
const seed = Number(process.env['PENDING_DELIVERY_STATES_SEED'] ?? Date.now() % 2 ** 31);

describe('the states of a pending delivery', function () {
  this.timeout(limitMs + 120_000);

  let pair: StorePair;

  before(async () => {
    pair = await StorePair.open();
  });

  after(() => pair.drop());

  it(`PostgreSQL and the simulation's store have the same pending deliveries after the same operations (seed ${seed})`, async () => {
    let commands = 0;
    const often = [
      publish,
      publish,
      claim,
      claim,
      claim,
      recordResults,
      recordResults,
      recordResults,
    ];

    const others = [
      pass,
      pass,
      promote,
      promote,
      ofClaims,
      replay,
      ofEndpoints,
      ofOrder,
      ofOrder,
      seldom,
      die,
      standStill,
    ];

    const arbitrary = fc.commands([...often, ...others], { maxCommands: 60, size: 'max' });
    const property = fc.asyncProperty(arbitrary, async (sequence) => {
      await pair.reset();
      await fc.asyncModelRun(() => ({ model: {}, real: pair }), sequence);
      commands += [...sequence].length;
    });

    await fc.assert(property, {
      numRuns: runs,
      plugins: [fc.interruptAfterTimeLimit(limitMs, { failOnInterrupt: false })],
      seed,
    });

    process.stdout.write(`      commands=${commands} seed=${seed}\n`);
    expect(commands).to.be.greaterThan(leastCommands);
  });
});
