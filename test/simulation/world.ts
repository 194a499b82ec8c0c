import type { Claim } from '../../src/domain/delivery/claim.js';
import type { WakeupKind } from '../../src/domain/wakeup.js';
import type { LeaseTimes } from '../../workers/lease-times.js';
import { Chance } from '../../src/seed/chance.js';
import type { MemoryStore } from './memory-store.js';
import { MemoryTurn } from './memory-turn.js';
import { Operators } from './operators.js';
import {
  eventTypes,
  longestPostponementMs,
  longestStallMs,
  type Misfortunes,
  noMisfortunes,
  type Plan,
  planOf,
} from './plan.js';
import { Receivers } from './receivers.js';
import { type Parts, soundParts } from './parts.js';
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

/** Which world it is. */
export interface WorldOptions {
  readonly seed: number;
  readonly parts?: Parts;
  /** Told what happens, in virtual milliseconds. */
  readonly trace?: (line: string) => void;
}

/** Receivers, processes, a queue, a database and operators, all of one thread and one seed. */
export class World {
  readonly tally: Tally = emptyTally();
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #plan: Plan;
  readonly #times: LeaseTimes;
  readonly #parts: Parts;
  readonly #time = new VirtualTime();
  readonly #store: MemoryStore;
  readonly #turn: MemoryTurn;
  readonly #witness: Witness;
  readonly #queue: SimulatedQueue;
  readonly #operators: Operators;
  readonly #workers: SimulatedWorker[] = [];
  readonly #receivers: Receivers;
  /** Chains that end the process which sends them. */
  readonly #poison = new Set<string>();
  readonly #trace: ((line: string) => void) | undefined;
  #published = 0;
  #workerCount = 0;
  #broken: unknown;

  constructor({ seed, parts = soundParts, trace }: WorldOptions) {
    this.#seed = seed;
    this.#chance = new Chance(seed);
    const plan = planOf(this.#chance);
    this.#plan = plan;
    this.#trace = trace;
    this.#times = parts.times(plan.timeoutMs);
    this.#parts = parts;
    const now = () => begunAt + Math.floor(this.#time.now);
    const options = {
      now,
      policy: plan.policy,
      random: this.#chance.next,
      cancelAtOnce: () => plan.cancelAtOnce,
    };
    this.#store = parts.store(options);
    this.#turn = new MemoryTurn(now);
    this.#witness = new Witness(plan, this.#store, now);
    const [time, chance, misfortunes] = [this.#time, this.#chance, () => this.#misfortunes()];
    const { tally } = this;
    this.#receivers = new Receivers({ plan, time, chance, witness: this.#witness, tally });
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
    const { workers, endpoints, events, publishingMs, calmFrom } = this.#plan;
    this.#note(`seed ${this.#seed}: ${JSON.stringify(this.#plan)}`);
    for (const [place, temper] of endpoints.entries()) {
      const id = `e${place + 1}`;
      const types = this.#chance.happens(0.5) ? eventTypes : eventTypes.slice(0, 1);
      this.#store.addEndpoint(id, types, `acc_${1 + (place % 2)}`);
      this.#receivers.add(id, temper);
    }
    for (let count = 0; count < workers; count += 1) this.#startWorker();
    for (let count = 0; count < events; count += 1) {
      this.#time.after(publishingMs * this.#chance.next(), () => this.#publish());
    }
    this.#time.after(1_000 * this.#chance.next(), () => this.#passSecond());
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
    const { policy, timeoutMs, events, endpoints, poisonous } = this.#plan;
    const delays = policy.delaysMs.reduce((sum, each) => sum + each * (1 + policy.jitter), 0);
    const attempts = policy.delaysMs.length + 1;
    // A sweep about every second finds what is due; an endpoint may get one attempt after the other.
    const attemptsMs = attempts * (timeoutMs + 2_500) + events * endpoints.length * attempts * 60;
    // What runs alone takes turns with everything else.
    const aloneMs = poisonous ? 150_000 : 20_000;
    const { graceMs } = this.#times;
    const absentMs = longestStallMs + longestAbsenceMs + graceMs;
    const heldMs = absentMs + longestPostponementMs + 2 * 6_000 + aloneMs;
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
    if (this.#plan.poisonous && this.#published === 1 && rows[0]) this.#poison.add(rows[0].id);
    this.#queue.wake(this.#store.takeWakeups());
  }

  #passSecond(): void {
    this.#time.after(1_000, () => this.#passSecond());
    const { operate, stop } = this.#misfortunes();
    if (this.#time.now >= this.#plan.calmFrom) this.#mend();
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

  /** Whoever looks after what was parked mends what ended the processes first. */
  #mend(): void {
    for (const id of this.#operators.releaseParked()) this.#poison.delete(id);
  }

  #becomeCalm(): void {
    this.#note('calm from here on');
    this.#receivers.calm();
  }

  #wakeUp(kind: WakeupKind, scheduled: boolean): void {
    const running = this.#workers.filter(({ runs }) => runs);
    if (running.length > 0) void this.#chance.oneOf(running).wakeUp(kind, scheduled);
  }

  #startWorker(): void {
    const [plan, time, chance, store] = [this.#plan, this.#time, this.#chance, this.#store];
    const { leases, unheard, aloneWaits } = this.#parts;
    const runner: Runner = { dead: false, heldUntil: 0 };
    const name = `w${++this.#workerCount}`;
    const wake = this.#queue.wake;
    const misfortunes = () => this.#misfortunes();
    const lost = () => void (this.tally.statementsLost += 1);
    const refused = () => {
      const { refusal } = this.#plan;
      if (!refusal || this.#time.now < refusal.from || this.#time.now >= refusal.until) return;
      this.tally.refusals += 1;
      return refusal.what;
    };
    const connection = { time, chance, store, misfortunes, refused, wake, lost };
    const database = new SimulatedDatabase(runner, connection);
    const worker: SimulatedWorker = new SimulatedWorker({
      ...{ name, plan, times: this.#times, time, chance, store, database, runner, wake },
      turn: this.#turn,
      ...{ witness: this.#witness, tally: this.tally, leases, unheard, aloneWaits },
      post: (claim, deliveryId, signal) => this.#post(worker, runner, claim, deliveryId, signal),
      reach: (point) => this.#reach(worker, runner, point),
      note: (line) => this.#note(`${name} ${line}`),
      onBroken: (error) => this.#break(error),
    });
    this.#workers.push(worker);
  }

  #reach(worker: SimulatedWorker, runner: Runner, point: Point): Promise<void> | undefined {
    const { crash, stall } = this.#misfortunes();
    if (runner.dead) return new Promise(() => undefined);
    if (this.#chance.happens(crash)) {
      this.#note(`${worker.name} dies at ${point}`);
      this.#kill(worker, runner);
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

  #post(worker: SimulatedWorker, runner: Runner, claim: Claim, ...rest: [string, AbortSignal]) {
    const { chainId, attempt } = claim;
    this.#note(`${worker.name} sends ${chainId} attempt ${attempt}`);
    const answer = this.#receivers.post(runner, claim, ...rest);
    if (this.#poison.has(chainId)) this.#kill(worker, runner);
    return answer;
  }

  #kill(worker: SimulatedWorker, runner: Runner): void {
    if (runner.dead) return;
    runner.dead = true;
    this.tally.crashes += 1;
    const place = this.#workers.indexOf(worker);
    // One that was being stopped has been replaced already.
    if (place < 0) return;
    this.#workers.splice(place, 1);
    this.#time.after(longestAbsenceMs * this.#chance.next(), () => this.#startWorker());
  }

  #break(error: unknown): void {
    this.#broken ??= error;
  }

  #note(line: string): void {
    this.#trace?.(`${this.#time.now.toFixed(1).padStart(9)} ${line}`);
  }
}
