import { expect } from 'chai';
import type { Database } from '../../src/database/database.js';
import { type EndedAttempt, startAttempt } from '../../src/domain/delivery/attempt.js';
import { cancelOwed, nextOwing } from '../../src/domain/delivery/cancel-owed.js';
import { sweepCancelled } from '../../src/domain/delivery/cancel-sweep.js';
import {
  type Claim,
  engineServerSettings,
  type Lane,
  type Room,
} from '../../src/domain/delivery/claim.js';
import { ClaimTurns } from '../../src/domain/delivery/claim-turns.js';
import { Claimer } from '../../src/domain/delivery/claimer.js';
import { extendLeases } from '../../src/domain/delivery/extend-leases.js';
import type { Outcome } from '../../src/domain/delivery/outcome.js';
import { releaseParked } from '../../src/domain/delivery/parked.js';
import { promoteDue } from '../../src/domain/delivery/promote.js';
import { deferClaim, releaseClaims } from '../../src/domain/delivery/release.js';
import { releaseUnheard } from '../../src/domain/delivery/release-unheard.js';
import { beginReplay } from '../../src/domain/delivery/replay.js';
import { settle } from '../../src/domain/delivery/settle.js';
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
import { arrangeAccount, arrangeEndpoint, eventType } from './engine.js';
import { breaksOf, type Rows, rowsInMemory, rowsInPostgres } from './engine-rows.js';

/** Another type of the catalogue; endpoints of the pair subscribe to both. */
export const otherType = 'invoice.issued';

/** Times lie so far apart that what a test itself takes changes nothing; milliseconds. */
const policy: RetryPolicy = {
  delaysMs: [100_000, 250_000],
  jitter: 0,
  disableAfterMs: 90_000,
  disableAfterFailures: 3,
};
const leaseMs = 90_000;
/** More than there ever are. */
const cancelAtOnce = 1_000;

/** One claim as both stores gave it. */
interface HeldClaim {
  readonly lane: Lane;
  sql: Claim;
  readonly memory: Claim;
}

/** PostgreSQL and the store in memory, told the same; whatever differs afterwards is a fault. */
export class StorePair {
  readonly #database: TestDatabase;
  readonly #domain: Database;
  readonly #account: string;
  #memory = this.#emptyMemory();
  #claimers = new Map<Lane, { claimer: Claimer; turns: ClaimTurns }>();
  #passed = 0;
  #begunAt = performance.now();
  #ended = 0;
  #rows: Rows | undefined;
  #held: HeldClaim[] = [];
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
    return new StorePair(database, domain, await arrangeAccount(database));
  }

  drop(): Promise<void> {
    return this.#database.drop();
  }

  /** Empties both and gives each the same three endpoints. */
  async reset(): Promise<void> {
    await this.#database.query(
      `delete from chain; delete from lease; delete from delivery; delete from event; delete from notice;
       delete from endpoint_secret; delete from endpoint`.replaceAll(/\s+/g, ' '),
    );
    this.#memory = this.#emptyMemory();
    this.#claimers = new Map();
    [this.#passed, this.#begunAt] = [1_800_000_000_000, performance.now()];
    [this.#ended, this.#rows, this.#held] = [0, undefined, []];
    for (const types of [[eventType, otherType], [eventType], [otherType, eventType]]) {
      const subscribed = `event_types = '{${types.join()}}'`;
      this.#memory.addEndpoint(
        await arrangeEndpoint(this.#database, this.#account, subscribed),
        types,
        this.#account,
      );
    }
  }

  async publish(type: string, test: boolean): Promise<void> {
    const input = { type, subject: 's', data: {}, test };
    const { id } = await this.#domain.transact((tx) => publishEvent(tx, this.#account, input));
    const chains = await this.#database.query<{ id: string; endpointId: string }>(
      `select id, endpoint_id as "endpointId" from chain where event_id = $1`,
      [id],
    );
    const ids = new Map(chains.map((chain) => [chain.endpointId, chain.id]));
    const opened = this.#memory.publish({ id, type, test, chainId: (to) => ids.get(to) ?? '?' });
    expect(opened.map((chain) => chain.id)).to.have.members(chains.map((chain) => chain.id));
  }

  async claim(lane: Lane, slots: number, perEndpoint: number, perAccount = slots): Promise<void> {
    const inFlight = new Map<string, number>();
    for (const { sql } of this.#held.filter((each) => each.lane === lane)) {
      inFlight.set(sql.endpointId, (inFlight.get(sql.endpointId) ?? 0) + 1);
    }
    const room = { slots, perEndpoint, inFlight, ...this.#accountRoom(perAccount) };
    const made = { claimer: new Claimer(lane, leaseMs), turns: new ClaimTurns() };
    const side = this.#claimers.get(lane) ?? made;
    this.#claimers.set(lane, side);
    const claims = await side.claimer.claim(this.#domain.read, room);
    // Of chains that are due at the same moment PostgreSQL may take any.
    for (const { chainId } of claims) {
      const chain = this.#memory.chains.get(chainId);
      if (chain) chain.dueAt -= 0.5;
    }
    const token = ++this.#ended;
    const expected = this.#memory.claim(lane, side.turns, room, leaseMs, token);
    for (const { chainId } of claims) {
      const chain = this.#memory.chains.get(chainId);
      if (chain) chain.dueAt += 0.5;
    }
    expect(claims.map(essence)).to.have.deep.members(expected.map(essence));
    for (const sql of claims) {
      const memory = expected.find(({ chainId }) => chainId === sql.chainId);
      if (memory) this.#held.push({ lane, sql, memory });
    }
  }

  /** With little for the account, its first endpoint answers promptly. */
  #accountRoom(perAccount: number): Pick<Room, 'perAccount' | 'accounts' | 'prompt'> {
    if (perAccount > 2) return { perAccount };
    const [endpointId = ''] = this.#memory.endpoints.keys();
    const accountId = this.#account;
    return { accounts: new Map([[accountId, perAccount]]), prompt: [{ accountId, endpointId }] };
  }

  /** Settles up to `count` of the claims that somebody holds or held, beginning at any. */
  async settle(from: number, count: number, outcomes: readonly Outcome[]): Promise<void> {
    const batch = this.#take(from, count);
    const pairs = batch.map(({ sql, memory }, place) => {
      const deliveryId = makeId('whd', new Date());
      const outcome = outcomes[place % outcomes.length] ?? { kind: 'accepted', status: 200 };
      // No two attempts end in the same millisecond, so that no two retries are due in the same.
      const rest = { deliveryId, outcome, durationMs: ++this.#ended };
      const end = (claim: Claim): EndedAttempt => ({ ...startAttempt(claim, 0), ...rest });
      return { sql: end(sql), memory: end(memory) };
    });
    const sql = pairs.map((each) => each.sql);
    const real = await this.#domain.transact((tx) => settle(tx, sql));
    const expected = this.#memory.settle(pairs.map((each) => each.memory));
    const said = ({ settled }: typeof real) =>
      settled.map(({ ended, status }) => `${ended.claim.chainId} ${status}`);
    expect(said(real)).to.have.members(said(expected));
    expect(real.disabled).to.have.members(expected.disabled);
  }

  /** Whoever held these claims is heard of no more. */
  crash(from: number, count = 1): void {
    this.#take(from, count);
  }

  async release(from: number): Promise<void> {
    for (const { sql, memory } of this.#take(from, 1)) {
      await releaseClaims(this.#domain.read, [sql]);
      this.#memory.release([memory]);
    }
  }

  /** The answer of a claim got lost: all that it took is given back. */
  async releaseUnheard(from: number): Promise<void> {
    for (const { sql, memory } of this.#take(from, 1)) {
      this.#held = this.#held.filter((each) => each.sql.token !== sql.token);
      const real = await releaseUnheard(this.#domain.read, [sql.token]);
      const expected = this.#memory.releaseUnheard([memory.token]);
      expect(real.map(({ chains }) => chains)).to.deep.equal(expected.map(({ chains }) => chains));
    }
  }

  /** Whoever holds these claims holds them for longer; leases that were ended stay ended. */
  async extend(from: number): Promise<void> {
    const held = this.#held[from % Math.max(1, this.#held.length)];
    if (!held) return;
    const real = await extendLeases(this.#domain.read, [held.sql.token], leaseMs);
    const expected = this.#memory.extendLeases([held.memory.token], leaseMs);
    expect(real).to.have.length(expected.length);
  }

  async defer(from: number): Promise<void> {
    for (const { sql, memory } of this.#take(from, 1)) {
      await deferClaim(this.#domain.read, sql);
      this.#memory.defer(memory);
    }
  }

  async promote(): Promise<void> {
    const real = await promoteDue(this.#domain.read);
    const expected = this.#memory.promote();
    expect({ ...real, parked: [...real.parked].sort() }).to.deep.equal({
      ...expected,
      parked: [...expected.parked].sort(),
    });
  }

  async sweepCancelled(): Promise<void> {
    const { cancelled } = await this.#domain.transact((tx) => sweepCancelled(tx, ''));
    expect(cancelled).to.equal(this.#memory.sweepCancelled('').cancelled);
  }

  async replay(from: number): Promise<void> {
    const ids = [...this.#memory.deliveries.keys()];
    const id = ids[from % Math.max(1, ids.length)];
    if (id === undefined) return;
    const begun = await this.#refusable((tx) => beginReplay(tx, this.#account, id));
    const chainId = typeof begun === 'object' ? begun.chainId : 'refused';
    const expected = this.#memory.replay(id, chainId);
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

  /** As {@link update} while somebody holds the endpoint's chains: what it would cancel is owed. */
  async updateHeld(from: number, patch: EndpointPatch): Promise<void> {
    const id = this.#endpoint(from);
    const held = await this.#database.hold(
      `select from chain where endpoint_id = '${id}' for update`,
    );
    this.#cancelAtOnce = 0;
    try {
      await this.update(from, patch);
    } finally {
      this.#cancelAtOnce = cancelAtOnce;
      await held.release();
    }
  }

  async payOwed(): Promise<void> {
    for (;;) {
      const sql = await nextOwing(this.#domain.read, '');
      const memory = this.#memory.nextOwing('');
      expect(sql?.endpointId).to.equal(memory?.endpointId);
      if (!sql || !memory) return;
      const { cancelled } = await this.#domain.transact((tx) => cancelOwed(tx, sql, ''));
      expect(cancelled).to.equal(this.#memory.cancelOwed(memory, '').cancelled);
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

  async releaseParked(): Promise<void> {
    for (const { id, parked } of this.#memory.chains.values()) {
      if (!parked) continue;
      const released = await this.#refusable((tx) => releaseParked(tx, id));
      expect(typeof released === 'object' ? 'released' : released).to.equal(
        this.#memory.releaseParked(id),
      );
    }
  }

  /** Lets time pass: everything that is stored becomes so much older. */
  async pass(ms: number): Promise<void> {
    const ago = `interval '${ms} milliseconds'`;
    await this.#database.query(`update chain set due_at = due_at - ${ago}`);
    await this.#database.query(`update lease set until = until - ${ago}`);
    await this.#database.query(`update endpoint set failing_since = failing_since - ${ago}`);
    await this.#database.query(`update endpoint_secret set expires_at = expires_at - ${ago}`);
    this.#passed += ms;
    for (const held of this.#held) {
      const claimedAt = new Date(held.sql.claimedAt.getTime() - ms);
      held.sql = { ...held.sql, claimedAt };
    }
  }

  /** @throws AssertionError when the rows differ, or break what they promise by themselves */
  async compare(): Promise<void> {
    // The next command happens in another millisecond, in PostgreSQL and in memory.
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

  #take(from: number, count: number): HeldClaim[] {
    if (this.#held.length === 0) return [];
    return this.#held.splice(from % this.#held.length, count);
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

/** What both sides of a claim have in common. */
function essence({ chainId, endpointId, url, secrets, event, ...claim }: Claim): object {
  const { attempt, maxAttempts, replayedFrom, test } = claim;
  const { id, type, version } = event;
  return {
    ...{ chainId, endpointId, url, event: `${id} ${type} ${version}`, secrets: secrets.length },
    ...{ attempt, maxAttempts, replayedFrom, test },
  };
}
