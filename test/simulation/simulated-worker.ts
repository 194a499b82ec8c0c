import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim, Lane } from '../../src/domain/delivery/claim.js';
import type { Attempt } from '../../src/domain/delivery/outcome.js';
import type { Settlement } from '../../src/domain/delivery/settlement.js';
import type { Wakeup, WakeupKind } from '../../src/domain/wakeup.js';
import { attemptWith } from '../../workers/attempt.js';
import { Dispatcher } from '../../workers/dispatcher.js';
import { leaseTimes } from '../../workers/lease-times.js';
import { Limits } from '../../workers/limits.js';
import { Settler } from '../../workers/settler.js';
import { Sweep } from '../../workers/sweep.js';
import type { Chance } from './chance.js';
import type { MemoryStore } from './memory-store.js';
import type { Plan } from './plan.js';
import { DatabaseAway, type SimulatedDatabase } from './simulated-database.js';
import type { Tally } from './tally.js';
import type { Runner, VirtualTime } from './virtual-time.js';
import type { Witness } from './witness.js';

/** Where a process may die or stand still. */
export type Point = 'claim' | 'send' | 'answer' | 'settle' | 'settled';

/** What processes count of themselves. */
export type Happening = 'dropped' | 'missed' | 'brokenOff' | 'tooOld';

/** What a {@link SimulatedWorker} works with. */
export interface WorkerOptions {
  readonly name: string;
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly store: MemoryStore;
  readonly database: SimulatedDatabase;
  readonly witness: Witness;
  readonly runner: Runner;
  readonly wake: (wakeups: readonly Wakeup[]) => void;
  /** Sends to the receiver of this endpoint; rejects when `signal` aborts. */
  readonly post: (claim: Claim, deliveryId: string, signal: AbortSignal) => Promise<Attempt>;
  /** Misfortune may strike here: a promise that resolves late, or never. */
  readonly reach: (point: Point) => Promise<void> | undefined;
  readonly count: (what: Happening) => void;
  readonly note: (line: string) => void;
  readonly tally: Tally;
  /** A promise was broken where the process itself would take it for a fault. */
  readonly onBroken: (error: unknown) => void;
}

/** A worker process of the service's own parts, on a clock, a database and a network that are not. */
export class SimulatedWorker {
  readonly #options: WorkerOptions;
  readonly #lanes: Readonly<Record<Lane, Dispatcher>>;
  readonly #settler: Settler;
  readonly #sweep: Sweep;
  readonly #times;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { plan, time, runner, chance, store, database, wake, witness, count } = options;
    const clock = time.clockOf(runner);
    this.#times = leaseTimes(plan.timeoutMs);
    this.#settler = new Settler({
      settle: (ended) => this.#settle(ended),
      mayRecover: (error) => error instanceof DatabaseAway,
      onSettled: () => undefined,
      onError: () => undefined,
      onDropped: () => count('dropped'),
      clock,
    });
    this.#lanes = { live: this.#dispatcher('live'), replay: this.#dispatcher('replay') };
    this.#sweep = new Sweep({
      ...this.#lanes,
      promote: () =>
        database.transact(() => {
          const promoted = store.promote();
          options.tally.interrupted += promoted.interrupted;
          return promoted;
        }),
      cancel: (after) =>
        database.transact(() => {
          const swept = store.sweepCancelled(after);
          witness.look();
          return swept;
        }),
      wake,
      onFind: (found) => {
        if (found === 'missed') count('missed');
      },
      onError: () => undefined,
      clock,
      random: chance.next,
    });
  }

  /** How traces name it. */
  get name(): string {
    return this.#options.name;
  }

  /** Whether it still runs; one that is being stopped does. */
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
    const { live, replay } = this.#lanes;
    await Promise.all([live.stop(drainMs), replay.stop(drainMs), this.#sweep.stop()]);
    await this.#settler.close();
    this.#options.runner.dead = true;
  }

  #dispatcher(lane: Lane): Dispatcher {
    const { plan, time, runner, store, database, witness, chance, reach, count, note } =
      this.#options;
    const limits = new Limits(plan.slots, plan.perEndpoint);
    const { leaseMs, latestStartMs } = this.#times;
    let cursor = '';
    return new Dispatcher({
      limits,
      claim: async (room) => {
        const claims = await database.transact(() => {
          const token = chance.whole(1, 2 ** 31);
          const claimed = store.claim(lane, cursor, room, leaseMs, token);
          witness.claimed(claimed, leaseMs);
          if (claimed.length > 0) note(`claims ${claimed.map(({ chainId }) => chainId).join(' ')}`);
          return claimed;
        });
        cursor = claims.at(-1)?.endpointId ?? '';
        if (claims.length > 0) await reach('claim');
        return claims;
      },
      attempt: (claim, elapsedMs, signal) => {
        const poster = {
          close: () => Promise.resolve(),
          post: (_url: string, headers: Readonly<Record<string, string>>) =>
            this.#post(lane, claim, headers['x-service-delivery-id'] ?? '', signal),
        };
        // What signing adds is bytes, and no decision of the engine.
        const secrets = { of: () => [] };
        const contentType = 'application/json';
        return attemptWith({ poster, secrets, contentType, latestStartMs })(
          claim,
          elapsedMs,
          signal,
        );
      },
      onEnded: (ended, claimedAt) => this.#settler.add(ended, claimedAt + leaseMs),
      unsettled: () => this.#settler.backlog,
      release: (claims) =>
        database.transact(() => {
          store.release(claims);
          witness.released(claims);
        }),
      onFault: (_error, claim) => {
        if (claim) count('tooOld');
      },
      clock: time.clockOf(runner),
    });
  }

  async #post(lane: Lane, claim: Claim, deliveryId: string, signal: AbortSignal): Promise<Attempt> {
    const { witness, runner, post, reach, count, onBroken } = this.#options;
    try {
      witness.began(runner, lane, claim);
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
      count('brokenOff');
      throw error;
    } finally {
      witness.left(runner, lane, claim);
    }
  }

  async #settle(ended: readonly EndedAttempt[]) {
    const { store, database, witness, reach, note, tally } = this.#options;
    await reach('settle');
    const result = await database.transact(() => {
      const settled = store.settle(ended);
      witness.settled(ended, settled);
      witness.look();
      note(`settles ${settled.settled.map(textOf).join(', ')}`);
      tally.records += settled.settled.length;
      tally.staleOutcomes += ended.length - settled.settled.length;
      tally.disabled += settled.disabled.length;
      return settled;
    });
    await reach('settled');
    return result;
  }
}

function textOf({ ended: { claim }, status }: Settlement): string {
  return `${claim.chainId} attempt ${claim.attempt} ${status}`;
}
