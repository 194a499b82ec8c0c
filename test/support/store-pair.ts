import { expect } from 'chai';
import type { Database } from '../../src/database/database.js';
import { type EndedAttempt, startAttempt } from '../../src/domain/delivery/attempt.js';
import {
  cancelFromBacklog,
  cancelStale,
  nextPendingCancellation,
} from '../../src/domain/delivery/cancel.js';
import {
  type Claim,
  engineServerSettings,
  type Lane,
  type Capacity,
} from '../../src/domain/delivery/claim.js';
import { ClaimCursors, Claimer } from '../../src/domain/delivery/claiming.js';
import {
  extendLeases,
  deferClaim,
  releaseClaims,
  releaseAmbiguous,
} from '../../src/domain/delivery/leases.js';
import type { Outcome } from '../../src/domain/delivery/outcome.js';
import { releaseDeadLetter } from '../../src/domain/delivery/dead-letters.js';
import { promoteDue, type Promoted } from '../../src/domain/delivery/promote.js';
import { startReplay } from '../../src/domain/delivery/replay.js';
import { recordBatch } from '../../src/domain/delivery/recording.js';
import type { EndpointPatch } from '../../src/domain/endpoint/endpoint-input.js';
import {
  deleteEndpoint,
  rotateSigningSecret,
  updateEndpoint,
} from '../../src/domain/endpoint/change-endpoint.js';
import { DomainError } from '../../src/domain/errors.js';
import { publishEvent } from '../../src/domain/event/publish.js';
import { makeId } from '../../src/domain/id.js';
import type { RetryPolicy } from '../../src/domain/rules.js';
import { MemoryStore } from '../simulation/memory-store.js';
import { createTestDatabase, type TestDatabase, testRules } from './database.js';
import { insertAccount, insertEndpoint, eventType } from './engine.js';
import { breaksOf, type Rows, rowsInMemory, rowsInPostgres } from './engine-rows.js';

/** Another type of the catalogue; two of the three endpoints subscribe to both types. */
export const otherType = 'invoice.issued';

/** The delays are so long that the duration of a test itself does not matter. */
const policy: RetryPolicy = {
  delaysMs: [100_000, 250_000],
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
export class StorePair {
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

  async publish(type: string, test: boolean): Promise<void> {
    const input = { type, subject: 's', data: {}, test };
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
      pendingDeliveryId: (to) => ids.get(to) ?? '?',
    });
    expect(opened.map((pending) => pending.id)).to.have.members(
      pendingDeliveries.map((pending) => pending.id),
    );
  }

  async claim(lane: Lane, slots: number, perEndpoint: number, perAccount = slots): Promise<void> {
    const inFlight = new Map<string, number>();
    for (const { sql } of this.#openClaims.filter((each) => each.lane === lane)) {
      inFlight.set(sql.endpointId, (inFlight.get(sql.endpointId) ?? 0) + 1);
    }
    const capacity = { slots, perEndpoint, inFlight, ...this.#accountLimits(perAccount) };
    const made = { claimer: new Claimer(lane, leaseMs), cursors: new ClaimCursors() };
    const side = this.#claimers.get(lane) ?? made;
    this.#claimers.set(lane, side);
    const claims = await side.claimer.claim(this.#domain.read, capacity);
    // Of pending deliveries that are due at the same time, PostgreSQL may claim any.
    for (const { pendingDeliveryId } of claims) {
      const pending = this.#memory.pendingDeliveries.get(pendingDeliveryId);
      if (pending) pending.dueAt -= 0.5;
    }
    const token = ++this.#ended;
    const expected = this.#memory.claim(lane, side.cursors, capacity, leaseMs, token);
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
  #accountLimits(perAccount: number): Pick<Capacity, 'perAccount' | 'accounts' | 'fast'> {
    if (perAccount > 2) return { perAccount };
    const [endpointId = ''] = this.#memory.endpoints.keys();
    const accountId = this.#account;
    return { accounts: new Map([[accountId, perAccount]]), fast: [{ accountId, endpointId }] };
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
    const sql = pairs.map((each) => each.sql);
    const real = await recordBatch(this.#domain, sql);
    const expected = this.#memory.recordResults(pairs.map((each) => each.memory));
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
  async releaseAmbiguous(from: number): Promise<void> {
    for (const { sql, memory } of this.#take(from, 1)) {
      this.#openClaims = this.#openClaims.filter((each) => each.sql.token !== sql.token);
      const real = await releaseAmbiguous(this.#domain.read, [sql.token]);
      const expected = this.#memory.releaseAmbiguous([memory.token]);
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
