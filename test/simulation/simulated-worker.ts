import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim, Lane } from '../../src/domain/delivery/claim.js';
import { ClaimTurns } from '../../src/domain/delivery/claim-turns.js';
import type { Attempt } from '../../src/domain/delivery/outcome.js';
import type { SettleResult } from '../../src/domain/delivery/settle.js';
import type { Wakeup, WakeupKind } from '../../src/domain/wakeup.js';
import { attemptWith } from '../../workers/attempt.js';
import { Dispatcher } from '../../workers/dispatcher.js';
import { type ClaimStore, HeldClaims } from '../../workers/held-claims.js';
import type { LeaseTimes } from '../../workers/lease-times.js';
import { Limits } from '../../workers/limits.js';
import { OwedCancellations } from '../../workers/owed-cancellations.js';
import { longestTurnMs, Solitude } from '../../workers/solitude.js';
import { Sweep } from '../../workers/sweep.js';
import type { Chance } from '../../src/seed/chance.js';
import type { MemoryStore } from './memory-store.js';
import type { MemoryTurn } from './memory-turn.js';
import type { Parts } from './parts.js';
import type { Plan } from './plan.js';
import { DatabaseAway, type SimulatedDatabase } from './simulated-database.js';
import type { Tally } from './tally.js';
import type { Runner, VirtualTime } from './virtual-time.js';
import type { Witness } from './witness.js';

/** Where a process may die or stand still. */
export type Point = 'claim' | 'send' | 'answer' | 'settle' | 'settled';

/** What a {@link SimulatedWorker} works with. */
export interface WorkerOptions {
  readonly name: string;
  readonly plan: Plan;
  readonly times: LeaseTimes;
  readonly leases: Parts['leases'];
  readonly unheard: Parts['unheard'];
  readonly aloneWaits: boolean;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly store: MemoryStore;
  readonly turn: MemoryTurn;
  readonly database: SimulatedDatabase;
  readonly witness: Witness;
  readonly tally: Tally;
  readonly runner: Runner;
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  /** Sends to the receiver of this claim; rejects when `signal` aborts. */
  readonly post: (claim: Claim, deliveryId: string, signal: AbortSignal) => Promise<Attempt>;
  /** Misfortune may strike here: a promise that resolves late, or never. */
  readonly reach: (point: Point) => Promise<void> | undefined;
  readonly note: (line: string) => void;
  /** A promise was broken where the process itself would take it for a fault of its own. */
  readonly onBroken: (error: unknown) => void;
}

/** A worker process of the service's own parts, on a clock, a database and a network that are not. */
export class SimulatedWorker {
  readonly #options: WorkerOptions;
  readonly #lanes: Readonly<Record<Lane, Dispatcher>>;
  readonly #held: HeldClaims;
  readonly #solitude: Solitude;
  readonly #sweep: Sweep;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { name, plan, time, runner, chance, store, turn, database, wake, tally } = options;
    const { witness, note } = options;
    const clock = time.clockOf(runner);
    this.#held = new HeldClaims({
      store: this.#claimStore(),
      times: options.times,
      isUnavailable: (error) => error instanceof DatabaseAway,
      onSettled: () => undefined,
      onSettleError: () => undefined,
      onDropped: ({ length }) => void (tally.dropped += length),
      onError: () => undefined,
      clock,
      leases: options.leases,
      unheard: options.unheard,
      makeToken: () => chance.whole(1, 2 ** 31),
    });
    const { slots, perEndpoint, first, perAccount, kept } = plan;
    const shares = { first, perAccount, kept, clock };
    const live = this.#dispatcher('live', new Limits(slots, perEndpoint, shares));
    const replay = this.#dispatcher('replay', new Limits(slots, perEndpoint, shares));
    const alone = this.#dispatcher('alone', new Limits(1, 1, { clock }));
    void alone.hold();
    this.#lanes = { live, replay, alone };
    const turnMs = longestTurnMs(plan.timeoutMs);
    this.#solitude = new Solitude({
      takeTurn: () => database.transact(() => store.aloneAsked() && turn.take(name, turnMs)),
      endTurn: (restMs) => database.transact(() => turn.end(name, restMs)),
      alone,
      others: [live, replay],
      unsettled: () => this.#held.settler.backlog,
      turnMs,
      onError: () => undefined,
      clock,
    });
    const owed = new OwedCancellations({
      next: (after) => database.transact(() => store.nextOwing(after)),
      cancel: (owing, after) =>
        database.transact(() => {
          const paid = store.cancelOwed(owing, after);
          witness.look();
          tally.paid += paid.cancelled;
          if (paid.cancelled > 0) note(`cancels ${paid.cancelled} of ${owing.endpointId}`);
          return paid;
        }),
      clock,
    });
    this.#sweep = new Sweep({
      ...{ live, replay, solitude: this.#solitude, wake },
      releaseUnheard: () => this.#held.releaseUnheard(),
      promote: () => this.#held.promote(),
      forgetLeases: () => this.#held.forgetLeases(),
      cancel: (after) => database.transact(() => this.#cancel(after)),
      payCancellations: () => owed.pay(),
      onFind: (found, chains) => {
        if (found === 'missed') tally.missed += chains;
      },
      onParked: () => undefined,
      onError: () => undefined,
      clock,
      random: chance.next,
    });
  }

  /** How traces name it. */
  get name(): string {
    return this.#options.name;
  }

  /** Whether it has neither died nor ended. */
  get runs(): boolean {
    return !this.#options.runner.dead;
  }

  /** As the listeners of a worker do. */
  async wakeUp(kind: WakeupKind, scheduled: boolean): Promise<void> {
    if (kind === 'replay') await this.#lanes.replay.look();
    if (kind !== 'due') return;
    // A fault leaves the wake-up to the sweep.
    if (scheduled) await this.#sweep.promote().catch(() => undefined);
    await this.#lanes.live.look();
  }

  /** Ends in order: gives back what was not sent, records what was. */
  async stop(drainMs: number): Promise<void> {
    const deliveries = async () => {
      await Promise.all(Object.values(this.#lanes).map((lane) => lane.stop(drainMs)));
      await this.#held.close();
      await this.#solitude.ended();
      await this.#held.giveBack().catch(() => undefined);
    };
    await Promise.all([deliveries(), this.#sweep.stop()]);
    this.#options.runner.dead = true;
  }

  #dispatcher(lane: Lane, limits: Limits): Dispatcher {
    const { times, aloneWaits, time, runner, database, reach } = this.#options;
    const held = this.#held;
    const { settler } = held;
    const { leaseMs, latestClaimMs, latestStartMs } = times;
    const turns = new ClaimTurns();
    return new Dispatcher({
      limits,
      claim: async (room) => {
        const claims = await held.claim((token) =>
          database.claim(() => {
            const { store, witness, note } = this.#options;
            const claimed = store.claim(lane, turns, room, leaseMs, token);
            witness.claimed(lane, claimed, leaseMs);
            const ids = claimed.map(({ chainId }) => chainId);
            if (ids.length > 0) note(`claims ${ids.join(' ')}`);
            return claimed;
          }),
        );
        if (claims.length > 0) await reach('claim');
        return claims;
      },
      latestClaimMs,
      latestStartMs,
      attempt: (claim, elapsedMs, signal) => {
        const poster = {
          close: () => Promise.resolve(),
          post: (_url: string, headers: Readonly<Record<string, string>>) =>
            this.#post(lane, claim, headers['x-service-delivery-id'] ?? '', signal),
        };
        // What signing adds is bytes, and no decision of the engine.
        const secrets = { of: () => [] };
        const contentType = 'application/json';
        return attemptWith({ poster, secrets, contentType })(claim, elapsedMs, signal);
      },
      onEnded: (ended, claimedAt) => settler.add(ended, claimedAt + leaseMs),
      ahead: lane !== 'alone',
      unsettled: () => {
        const { backlog } = settler;
        return aloneWaits && lane === 'alone' && backlog > 0 ? Infinity : backlog;
      },
      allowance: () => settler.allowance,
      release: (claims) => held.release(claims),
      onFault: (_error, claim) => {
        if (claim) held.defer(claim).catch(() => undefined);
      },
      clock: time.clockOf(runner),
    });
  }

  async #post(lane: Lane, claim: Claim, deliveryId: string, signal: AbortSignal): Promise<Attempt> {
    const { witness, runner, post, reach, tally, onBroken } = this.#options;
    try {
      witness.began(runner, lane, claim, this.#held.settler.backlog);
    } catch (error) {
      onBroken(error);
      throw error;
    }
    try {
      const answer = post(claim, deliveryId, signal);
      await reach('send');
      const attempt = await answer;
      await reach('answer');
      return attempt;
    } catch (error) {
      tally.brokenOff += 1;
      throw error;
    } finally {
      witness.left(runner, lane, claim);
    }
  }

  async #settle(ended: readonly EndedAttempt[]): Promise<SettleResult> {
    const { store, database, witness, reach, note, tally } = this.#options;
    await reach('settle');
    const result = await database.record(() => {
      const { settled, disabled } = store.settle(ended);
      witness.settled(ended, { settled, disabled });
      witness.look();
      for (const { ended: each, status } of settled) {
        note(`settles ${each.claim.chainId} attempt ${each.claim.attempt}: ${status}`);
      }
      for (const id of disabled) note(`disables ${id}`);
      tally.records += settled.length;
      tally.staleOutcomes += ended.length - settled.length;
      tally.disabled += disabled.length;
      return { settled, disabled };
    });
    await reach('settled');
    return result;
  }

  #claimStore(): ClaimStore {
    const { database, store } = this.#options;
    return {
      settle: (ended) => this.#settle(ended),
      extend: (tokens, leaseMs) => database.transact(() => this.#extend(tokens, leaseMs)),
      release: (claims) => database.transact(() => this.#release(claims)),
      defer: (claim) => database.transact(() => this.#defer(claim)),
      releaseUnheard: (tokens) => database.transact(() => this.#releaseUnheard(tokens)),
      forgetLeases: (tokens) => database.transact(() => store.forgetLeases(tokens)),
      promote: (endLeases) => database.transact(() => this.#promote(endLeases)),
    };
  }

  #extend(tokens: readonly number[], leaseMs: number): number[] {
    const { store, witness, tally, note } = this.#options;
    const extended = store.extendLeases(tokens, leaseMs);
    witness.extended(extended, leaseMs);
    tally.extended += extended.length;
    note(`extends ${extended.length} of ${tokens.length} leases`);
    return extended;
  }

  #promote(endLeases: boolean) {
    const { store, witness, tally, note } = this.#options;
    const promoted = store.promote(endLeases);
    witness.interrupted(promoted.interrupted);
    witness.parked(promoted.parked);
    tally.interrupted += promoted.interrupted;
    tally.parked += promoted.parked.length;
    for (const id of promoted.parked) note(`parks ${id}`);
    return promoted;
  }

  #cancel(after: string) {
    const { store, witness } = this.#options;
    const swept = store.sweepCancelled(after);
    witness.look();
    return swept;
  }

  #release(claims: readonly Claim[]): void {
    const { store, witness, tally } = this.#options;
    store.release(claims);
    witness.released(claims);
    tally.released += claims.length;
  }

  #releaseUnheard(tokens: readonly number[]) {
    const { store, witness, tally, note } = this.#options;
    const held = [...store.chains.values()].flatMap(({ id: chainId, leaseToken: token }) =>
      token !== null && tokens.includes(token) ? { chainId, token } : [],
    );
    if (held.length > 0) note(`hears nothing of ${held.map(({ chainId }) => chainId).join(' ')}`);
    witness.released(held);
    tally.unheard += held.length;
    return store.releaseUnheard(tokens);
  }

  #defer(claim: Claim): void {
    const { store, witness } = this.#options;
    store.defer(claim);
    witness.released([claim]);
  }
}
