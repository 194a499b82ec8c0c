import type { Claim } from '../../src/domain/delivery/claim.js';
import type { Attempt } from '../../src/domain/delivery/outcome.js';
import type { WakeupKind } from '../../src/domain/wakeup.js';
import { Chance } from './chance.js';
import { MemoryStore, type MemoryStoreOptions } from './memory-store.js';
import { Operators } from './operators.js';
import {
  eventTypes,
  longestPostponementMs,
  longestStallMs,
  type Misfortunes,
  noMisfortunes,
  type Plan,
  planOf,
  type Temper,
} from './plan.js';
import { attemptOf, calm, reactionOf } from './receivers.js';
import { SimulatedDatabase } from './simulated-database.js';
import { SimulatedQueue } from './simulated-queue.js';
import { type Point, SimulatedWorker } from './simulated-worker.js';
import { emptyTally, type Tally } from './tally.js';
import { type Runner, VirtualTime } from './virtual-time.js';
import { Witness } from './witness.js';

/** 2027-01-15T08:00:00Z: any moment at the beginning of a second. */
const begunAt = 1_800_000_000_000;
/** From a crash to the process that takes its place, at most. */
const longestAbsenceMs = 3_000;

/** What a {@link World} may be made of instead of its own parts. */
export interface WorldOptions {
  readonly seed: number;
  /** The store, for planting bugs. */
  readonly store?: (options: MemoryStoreOptions) => MemoryStore;
  /** Told what happens, in virtual milliseconds. */
  readonly trace?: (line: string) => void;
}

/** Receivers, processes, a queue, a database and operators, all of one thread and one seed. */
export class World {
  readonly tally: Tally = emptyTally();
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #plan: Plan;
  readonly #time = new VirtualTime();
  readonly #store: MemoryStore;
  readonly #witness: Witness;
  readonly #queue: SimulatedQueue;
  readonly #operators: Operators;
  readonly #workers: SimulatedWorker[] = [];
  readonly #tempers = new Map<string, Temper>();
  readonly #arrived = new Set<string>();
  readonly #trace: ((line: string) => void) | undefined;
  #published = 0;
  #workerCount = 0;
  #broken: unknown;

  constructor({ seed, store: storeOf, trace }: WorldOptions) {
    this.#seed = seed;
    this.#chance = new Chance(seed);
    const plan = planOf(this.#chance);
    this.#plan = plan;
    this.#trace = trace;
    const now = () => begunAt + Math.floor(this.#time.now);
    const options = { now, policy: plan.policy, random: this.#chance.next };
    this.#store = storeOf?.(options) ?? new MemoryStore(options);
    this.#witness = new Witness(plan, this.#store, now);
    const [time, chance, misfortunes] = [this.#time, this.#chance, () => this.#misfortunes()];
    const deliver = (kind: WakeupKind, scheduled: boolean) => this.#wakeUp(kind, scheduled);
    this.#queue = new SimulatedQueue({ time, chance, misfortunes, begunAt, deliver });
    this.#operators = new Operators({
      chance,
      store: this.#store,
      witness: this.#witness,
      tally: this.tally,
      note: (line) => this.#note(line),
    });
  }

  /** Lives through the seed. @throws BrokenPromise as soon as a promise is broken */
  async live(): Promise<void> {
    const { workers, endpoints, events, calmFrom } = this.#plan;
    this.#note(`seed ${this.#seed}: ${JSON.stringify(this.#plan)}`);
    for (const [place, temper] of endpoints.entries()) {
      const id = `e${place + 1}`;
      this.#store.addEndpoint(id, this.#chance.happens(0.5) ? eventTypes : eventTypes.slice(0, 1));
      this.#tempers.set(id, temper);
    }
    for (let count = 0; count < workers; count += 1) this.#startWorker();
    for (let count = 0; count < events; count += 1) {
      this.#time.after(calmFrom * this.#chance.next(), () => this.#publish());
    }
    for (let second = 1_000; second < calmFrom; second += 1_000) {
      this.#time.after(second * (1 + 0.1 * this.#chance.next()), () => this.#passSecond());
    }
    this.#time.after(calmFrom, () => this.#becomeCalm());
    const deadline = calmFrom + this.#longestRest();
    await this.#time.run(() => {
      if (this.#broken) throw this.#broken as Error;
      const isOver = this.#time.now >= calmFrom && this.#witness.open === 0;
      return isOver || this.#time.now >= deadline;
    });
    this.#witness.close();
  }

  /** How long everything may take to end when nothing goes wrong any more. */
  #longestRest(): number {
    const { policy, timeoutMs, events, endpoints } = this.#plan;
    const delays = policy.delaysMs.reduce((sum, each) => sum + each * (1 + policy.jitter), 0);
    const attempts = policy.delaysMs.length + 1;
    // A sweep about every second finds what is due; an endpoint may get one attempt after the other.
    const attemptsMs = attempts * (timeoutMs + 2_500) + events * endpoints.length * attempts * 60;
    const heldMs = longestStallMs + longestAbsenceMs + longestPostponementMs + 2 * 6_000;
    return delays + attemptsMs + heldMs;
  }

  #misfortunes(): Misfortunes {
    return this.#time.now < this.#plan.calmFrom ? this.#plan.misfortunes : noMisfortunes;
  }

  #publish(): void {
    const id = `v${++this.#published}`;
    const test = this.#chance.happens(0.1);
    const event = { id, type: this.#chance.oneOf(eventTypes), test };
    const rows = this.#store.publish({ ...event, chainId: (endpoint) => `${id}>${endpoint}` });
    this.#note(`publishes ${rows.map((row) => row.id).join(' ') || 'to nobody'}`);
    this.tally.chains += rows.length;
    this.#witness.opened(rows);
    this.#queue.wake(this.#store.takeWakeups());
  }

  #passSecond(): void {
    const { operate, stop } = this.#misfortunes();
    if (this.#chance.happens(operate)) {
      this.#operators.act();
      this.#queue.wake(this.#store.takeWakeups());
    }
    const running = this.#workers.filter(({ runs }) => runs);
    if (running.length === 0 || !this.#chance.happens(stop)) return;
    const worker = this.#chance.oneOf(running);
    this.tally.stops += 1;
    this.#note(`stops ${worker.name}`);
    this.#workers.splice(this.#workers.indexOf(worker), 1);
    void worker.stop(this.#chance.whole(0, 2_000)).catch((error: unknown) => this.#break(error));
    this.#startWorker();
  }

  #becomeCalm(): void {
    this.#note('calm from here on');
    for (const [id, temper] of this.#tempers) this.#tempers.set(id, calm(temper));
  }

  #wakeUp(kind: WakeupKind, scheduled: boolean): void {
    const running = this.#workers.filter(({ runs }) => runs);
    if (running.length > 0) void this.#chance.oneOf(running).wakeUp(kind, scheduled);
  }

  #startWorker(): void {
    const [plan, time, chance, store] = [this.#plan, this.#time, this.#chance, this.#store];
    const runner: Runner = { dead: false, heldUntil: 0 };
    const name = `w${++this.#workerCount}`;
    const wake = this.#queue.wake;
    const misfortunes = () => this.#misfortunes();
    const lost = () => void (this.tally.statementsLost += 1);
    const connection = { time, chance, store, misfortunes, wake, lost };
    const database = new SimulatedDatabase(runner, connection);
    const worker: SimulatedWorker = new SimulatedWorker({
      ...{ name, plan, time, chance, store, database, runner, wake, witness: this.#witness },
      post: (claim, deliveryId, signal) => this.#post(name, runner, claim, deliveryId, signal),
      reach: (point) => this.#reach(worker, runner, point),
      count: (what) => void (this.tally[what] += 1),
      note: (line) => this.#note(`${name} ${line}`),
      tally: this.tally,
      onBroken: (error) => this.#break(error),
    });
    this.#workers.push(worker);
  }

  #reach(worker: SimulatedWorker, runner: Runner, point: Point): Promise<void> | undefined {
    const { crash, stall } = this.#misfortunes();
    if (runner.dead) return new Promise(() => undefined);
    if (this.#chance.happens(crash)) {
      this.tally.crashes += 1;
      this.#note(`${worker.name} dies at ${point}`);
      runner.dead = true;
      const place = this.#workers.indexOf(worker);
      if (place >= 0) {
        this.#workers.splice(place, 1);
        this.#time.after(longestAbsenceMs * this.#chance.next(), () => this.#startWorker());
      }
      return new Promise(() => undefined);
    }
    if (this.#chance.happens(stall)) {
      this.tally.stalls += 1;
      runner.heldUntil = this.#time.now + longestStallMs * this.#chance.next();
      this.#note(`${worker.name} stands still at ${point}`);
      return new Promise((resolve) => this.#time.after(0, resolve, runner));
    }
    return undefined;
  }

  #post(
    name: string,
    runner: Runner,
    { chainId, endpointId, attempt }: Claim,
    deliveryId: string,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const begun = this.#time.now;
    const temper = this.#tempers.get(endpointId);
    if (!temper) throw new Error(`no receiver ${endpointId}`);
    const { afterMs, outcome } = reactionOf(this.#chance, temper, this.#plan);
    this.tally.requests += 1;
    if (this.#arrived.has(chainId)) this.tally.duplicates += 1;
    this.#note(`${name} sends ${chainId} attempt ${attempt}`);
    if (outcome.kind === 'accepted') this.#arrived.add(chainId);
    return new Promise((resolve, reject) => {
      const answer = () => {
        this.#witness.answered(deliveryId, outcome);
        resolve(attemptOf(outcome, this.#time.now - begun));
      };
      const callOff = this.#time.after(afterMs, answer, runner);
      signal.addEventListener('abort', () => {
        callOff();
        reject(new Error('broken off'));
      });
    });
  }

  #break(error: unknown): void {
    this.#broken ??= error;
  }

  #note(line: string): void {
    this.#trace?.(`${this.#time.now.toFixed(1).padStart(9)} ${line}`);
  }
}
