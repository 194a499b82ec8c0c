import type { Claim } from '../../src/domain/delivery/claim.js';
import type { WakeupKind } from '../../src/domain/transaction/wakeup.js';
import type { LeaseTimes } from '../../workers/delivery/lease-times.js';
import { Random } from '../../tools/seed/random.js';
import { type MemoryStore, MemoryIsolationLock } from './memory-store.js';
import {
  eventTypes,
  maxCommitMs,
  maxRetryAfterMs,
  maxStallMs,
  type FaultRates,
  noFaults,
  type Scenario,
  drawScenario,
  type ReceiverProfile,
  subjects,
} from './scenario.js';
import { type Parts, defaultParts } from './parts.js';
import { SimulatedDatabase, SimulatedQueue } from './simulated-database.js';
import { type CrashPoint, SimulatedWorker } from './simulated-worker.js';
import { newCounters, type Counters, InvariantChecker } from './invariant-checker.js';
import { subjectsOf } from './memory-tables.js';
import { type Runner, VirtualTime } from './virtual-time.js';
import type { PostResult, Outcome } from '../../src/domain/delivery/outcome.js';

/** 2027-01-15T08:00:00Z: any moment at the beginning of a second. */
const startedAt = 1_800_000_000_000;
/** The longest time until a process reaches a database that was away; the time of grace is longer. */
const maxReconnectMs = 2_000;
/** The longest time from a crash to the process that takes its place. */
const maxRestartMs = 3_000;

/** The options of a {@link SimulatedSystem}. */
interface SimulatedSystemOptions {
  readonly seed: number;
  readonly parts?: Parts;
  /** Called with each step and its virtual time in ms. */
  readonly trace?: (line: string) => void;
}

/** Receivers, processes, a queue, a database and operators, all in one thread and from one seed. */
export class SimulatedSystem {
  readonly counters: Counters = newCounters();
  readonly #seed: number;
  readonly #random: Random;
  readonly #scenario: Scenario;
  readonly #times: LeaseTimes;
  readonly #parts: Parts;
  readonly #time = new VirtualTime();
  readonly #store: MemoryStore;
  readonly #isolationLock: MemoryIsolationLock;
  readonly #invariants: InvariantChecker;
  readonly #queue: SimulatedQueue;
  readonly #operators: Operators;
  readonly #workers: SimulatedWorker[] = [];
  readonly #receivers: Receivers;
  /** Pending deliveries that end the process which sends them. */
  readonly #poison = new Set<string>();
  readonly #trace: ((line: string) => void) | undefined;
  #published = 0;
  #workerCount = 0;
  #violation: unknown;

  constructor({ seed, parts = defaultParts, trace }: SimulatedSystemOptions) {
    this.#seed = seed;
    this.#random = new Random(seed);

    const scenario = drawScenario(this.#random);
    this.#scenario = scenario;
    this.#trace = trace;
    this.#times = parts.times(scenario.timeoutMs);
    this.#parts = parts;

    const now = () => startedAt + Math.floor(this.#time.now);
    const options = {
      now,
      policy: scenario.policy,
      random: this.#random.next,
      cancelAtOnce: () => scenario.cancelAtOnce,
    };

    this.#store = parts.store(options);
    this.#isolationLock = new MemoryIsolationLock(now);
    this.#invariants = new InvariantChecker(scenario, this.#store, now);

    const time = this.#time;
    const random = this.#random;
    const faultRates = () => this.#faultRates();
    const { counters } = this;
    this.#receivers = new Receivers({
      scenario,
      time,
      random,
      invariants: this.#invariants,
      counters,
    });

    const deliver = (kind: WakeupKind, scheduled: boolean) => this.#wakeUp(kind, scheduled);
    this.#queue = new SimulatedQueue({ time, random, faultRates, startedAt, deliver });

    this.#operators = new Operators({
      random,
      store: this.#store,
      invariants: this.#invariants,
      counters: this.counters,
      ordered: scenario.orderedEndpoints > 0,
      log: (line) => this.#log(line),
    });
  }

  /** Runs the seed. @throws InvariantViolation as soon as a promise is broken */
  async run(): Promise<void> {
    const { workers, endpoints, events, publishingMs, faultsEndAt, orderedEndpoints } =
      this.#scenario;
    this.#log(`seed ${this.#seed}: ${JSON.stringify(this.#scenario)}`);

    for (const [place, profile] of endpoints.entries()) {
      const id = `e${place + 1}`;
      const types = this.#random.boolean(0.5) ? eventTypes : eventTypes.slice(0, 1);
      this.#store.addEndpoint(id, types, `acc_${1 + (place % 2)}`);
      this.#store.setOrdered(id, place < orderedEndpoints);
      this.#receivers.add(id, profile);
    }

    for (let count = 0; count < workers; count += 1) this.#startWorker();

    for (let count = 0; count < events; count += 1) {
      this.#time.after(publishingMs * this.#random.next(), () => this.#publish());
    }

    this.#time.after(1_000 * this.#random.next(), () => this.#tick());
    this.#time.after(faultsEndAt, () => this.#stopFaults());

    const deadline = faultsEndAt + this.#maxDrainMs();
    await this.#time.run(() => {
      if (this.#violation) throw this.#violation as Error;
      const isOver = this.#time.now >= faultsEndAt && this.#invariants.open === 0;
      return isOver || this.#time.now >= deadline;
    });

    this.#invariants.close();
  }

  /** Returns how long everything may take to end when nothing goes wrong any more. */
  #maxDrainMs(): number {
    const { policy, timeoutMs, events, endpoints, hasPoison, orderedEndpoints } = this.#scenario;
    const delays = policy.delaysMs.reduce((sum, delayMs) => sum + delayMs * (1 + policy.jitter), 0);
    const attempts = policy.delaysMs.length + 1;
    // A poll about every second finds what is due; an endpoint may get one attempt after the other.
    const attemptsMs = attempts * (timeoutMs + 2_500) + events * endpoints.length * attempts * 60;
    // Isolated deliveries take turns with all others.
    const isolationMs = hasPoison ? 150_000 : 20_000;
    const { graceMs } = this.#times;
    // Events of one subject go one after the other, with all their attempts.
    const inOrder = orderedEndpoints > 0 ? events : 1;
    const absentMs = maxStallMs + maxRestartMs + graceMs;
    const blockedMs = absentMs + maxRetryAfterMs + 2 * 6_000 + isolationMs;
    return inOrder * (delays + attemptsMs) + blockedMs;
  }

  #faultRates(): FaultRates {
    return this.#time.now < this.#scenario.faultsEndAt ? this.#scenario.faultRates : noFaults;
  }

  #publish(): void {
    const id = `v${++this.#published}`;
    const test = this.#random.boolean(0.1);
    const event = { id, type: this.#random.pick(eventTypes), test };
    if (this.#scenario.orderedEndpoints === 0) {
      this.#commit(event, this.#time.now);
      return;
    }

    // A publish takes its number some time after it was sent, and before it commits.
    const subject = this.#random.pick(this.#scenario.hasPoison ? subjects.slice(0, 1) : subjects);
    const ordered = { ...event, subject };
    const sentAt = this.#time.now;
    const travel = () => 0.2 + 3 * this.#random.next();
    this.#time.after(travel(), () => {
      const number = this.#store.nextNumber();
      const commitMs = this.#random.boolean(0.3) ? maxCommitMs * this.#random.next() : travel();
      this.#time.after(commitMs, () => this.#commit({ ...ordered, number }, sentAt));
    });
  }

  #commit(
    event: Omit<Parameters<MemoryStore['publish']>[0], 'pendingDeliveryId'>,
    sentAt: number,
  ): void {
    const { id } = event;
    const rows = this.#store.publish({
      ...event,
      pendingDeliveryId: (endpoint) => `${id}>${endpoint}`,
    });
    this.#log(`publishes ${rows.map((row) => row.id).join(' ') || 'to nobody'}`);
    this.counters.pendingDeliveries += rows.length;
    this.#invariants.opened(rows, startedAt + Math.floor(sentAt));
    if (this.#scenario.hasPoison && id === 'v1' && rows[0]) this.#poison.add(rows[0].id);
    this.#queue.wake(this.#store.takeWakeups());

    const waiting = subjectsOf(rows);
    if (waiting.length === 0) return;
    this.counters.inOrder += waiting.length;
    // The API answers, and then advances the subjects, unless it dies.
    this.#time.after(3 * this.#random.next(), () => this.#invariants.published(rows));
    if (this.#random.boolean(this.#faultRates().wakeupLost)) return;
    this.#time.after(6 * this.#random.next(), () => {
      this.#store.advanceSubjects(waiting);
      this.#queue.wake(this.#store.takeWakeups());
    });
  }

  #tick(): void {
    this.#time.after(1_000, () => this.#tick());

    const { operate, stop } = this.#faultRates();
    const { faultsEndAt, hasPoison } = this.#scenario;
    // Nobody is there at once, so a dead letter keeps the others of its subject waiting for a while.
    const isFixed = !hasPoison || this.#random.boolean(0.2);
    if (this.#time.now >= faultsEndAt && isFixed) this.#fixPoison();

    if (this.#random.boolean(operate)) {
      this.#operators.act();
      this.#queue.wake(this.#store.takeWakeups());
    }

    const running = this.#workers.filter(({ runs }) => runs);
    if (running.length === 0 || !this.#random.boolean(stop)) return;

    const worker = this.#random.pick(running);
    this.counters.stops += 1;
    this.#log(`stops ${worker.name}`);
    this.#workers.splice(this.#workers.indexOf(worker), 1);
    void worker.stop(this.#random.integer(0, 2_000)).catch((error: unknown) => this.#fail(error));
    this.#startWorker();
  }

  /** An operator who releases dead letters first fixes what ended the processes. */
  #fixPoison(): void {
    for (const id of this.#operators.releaseDeadLetter()) this.#poison.delete(id);
  }

  #stopFaults(): void {
    this.#log('calm from here on');
    this.#receivers.recover();
  }

  #wakeUp(kind: WakeupKind, scheduled: boolean): void {
    const running = this.#workers.filter(({ runs }) => runs);
    if (running.length > 0) void this.#random.pick(running).wakeUp(kind, scheduled);
  }

  #startWorker(): void {
    const scenario = this.#scenario;
    const time = this.#time;
    const random = this.#random;
    const store = this.#store;
    const { leases, unconfirmed, isolationWaits } = this.#parts;
    const runner: Runner = { dead: false, stalledUntil: 0 };
    const name = `w${++this.#workerCount}`;
    const wake = this.#queue.wake;
    const faultRates = () => this.#faultRates();
    const lost = () => void (this.counters.statementsLost += 1);
    const { refusal } = scenario;

    // Processes reach a database that was away one after the other.
    const reconnectMs = refusal?.what === 'everything' ? maxReconnectMs * random.next() : 0;
    const refused = () => {
      if (!refusal || time.now < refusal.from || time.now >= refusal.until + reconnectMs) return;
      this.counters.refusals += 1;
      return refusal;
    };

    const connection = { time, random, store, faultRates, refused, wake, lost };
    const database = new SimulatedDatabase(runner, connection);
    const worker: SimulatedWorker = new SimulatedWorker({
      name,
      scenario,
      times: this.#times,
      time,
      random,
      store,
      database,
      runner,
      wake,
      isolationLock: this.#isolationLock,
      invariants: this.#invariants,
      counters: this.counters,
      leases,
      unconfirmed,
      isolationWaits,
      post: (claim, deliveryId, signal) => this.#post(worker, runner, claim, deliveryId, signal),
      maybeFail: (point) => this.#maybeFail(worker, runner, point),
      log: (line) => this.#log(`${name} ${line}`),
      onViolation: (error) => this.#fail(error),
    });
    this.#workers.push(worker);
  }

  #maybeFail(
    worker: SimulatedWorker,
    runner: Runner,
    point: CrashPoint,
  ): Promise<void> | undefined {
    const { crash, stall } = this.#faultRates();
    if (runner.dead) return new Promise(() => undefined);

    if (this.#random.boolean(crash)) {
      this.#log(`${worker.name} dies at ${point}`);
      this.#kill(worker, runner);
      return new Promise(() => undefined);
    }

    if (this.#random.boolean(stall)) {
      this.counters.stalls += 1;
      runner.stalledUntil = this.#time.now + maxStallMs * this.#random.next();
      this.#log(`${worker.name} stands still at ${point}`);
      return new Promise((resolve) => this.#time.after(0, resolve, runner));
    }

    return undefined;
  }

  #post(worker: SimulatedWorker, runner: Runner, claim: Claim, ...rest: [string, AbortSignal]) {
    const { pendingDeliveryId, attempt } = claim;
    this.#log(`${worker.name} sends ${pendingDeliveryId} attempt ${attempt}`);
    const answer = this.#receivers.post(runner, claim, ...rest);
    if (this.#poison.has(pendingDeliveryId)) this.#kill(worker, runner);
    return answer;
  }

  #kill(worker: SimulatedWorker, runner: Runner): void {
    if (runner.dead) return;
    runner.dead = true;
    this.counters.crashes += 1;
    const place = this.#workers.indexOf(worker);
    // A process that was being stopped has been replaced already.
    if (place < 0) return;
    this.#workers.splice(place, 1);
    this.#time.after(maxRestartMs * this.#random.next(), () => this.#startWorker());
  }

  #fail(error: unknown): void {
    this.#violation ??= error;
  }

  #log(line: string): void {
    this.#trace?.(`${this.#time.now.toFixed(1).padStart(9)} ${line}`);
  }
}

/** What a receiver does with one request. */
interface ReceiverResponse {
  readonly afterMs: number;
  readonly outcome: Outcome;
}

const timeout: Outcome = { kind: 'unreachable', reason: 'timeout' };

function drawResponse(
  random: Random,
  profile: ReceiverProfile,
  scenario: Scenario,
): ReceiverResponse {
  const { ok, rejects, postpones, gone, resets, hangs } = profile;
  const afterMs = 1 + 30 * random.next();
  let left = random.next() * (ok + rejects + postpones + gone + resets + hangs);
  const falls = (weight: number) => (left -= weight) < 0;
  if (falls(rejects)) {
    const status = random.pick([301, 400, 404, 500, 502]);
    return { afterMs, outcome: { kind: 'rejected', status } };
  }

  if (falls(postpones)) {
    const retryAfter = { delayMs: random.pick([0, 500, 3_000, maxRetryAfterMs]) };
    const status = random.pick([429, 503]);
    return { afterMs, outcome: { kind: 'rejected', status, retryAfter } };
  }

  if (falls(gone)) return { afterMs, outcome: { kind: 'rejected', status: 410 } };

  if (falls(resets)) {
    return { afterMs, outcome: { kind: 'unreachable', reason: 'connection_reset' } };
  }

  if (falls(hangs)) return { afterMs: scenario.timeoutMs, outcome: timeout };

  return { afterMs, outcome: { kind: 'accepted', status: 200 } };
}

/** The options of {@link Receivers}. */
interface ReceiversOptions {
  readonly scenario: Scenario;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly invariants: InvariantChecker;
  readonly counters: Counters;
}

/** All receivers, and the network in between. */
class Receivers {
  readonly #options: ReceiversOptions;
  readonly #profiles = new Map<string, ReceiverProfile>();
  readonly #accepted = new Set<string>();

  constructor(options: ReceiversOptions) {
    this.#options = options;
  }

  /** Adds the receiver of an endpoint. */
  add(endpointId: string, profile: ReceiverProfile): void {
    this.#profiles.set(endpointId, profile);
  }

  /** Makes all receivers respond fast from now on, though not always with success. */
  recover(): void {
    for (const [id, profile] of this.#profiles) this.#profiles.set(id, recovered(profile));
  }

  /** Sends one request of a process, which gets the response if it lives. @throws Error when `signal` aborts */
  post(
    runner: Runner,
    { pendingDeliveryId, endpointId }: Claim,
    deliveryId: string,
    signal: AbortSignal,
  ): Promise<PostResult> {
    const { scenario, time, random, invariants, counters } = this.#options;
    const profile = this.#profiles.get(endpointId);
    if (!profile) throw new Error(`no receiver at ${endpointId}`);

    const { afterMs, outcome } = drawResponse(random, profile, scenario);
    counters.requests += 1;
    if (this.#accepted.has(pendingDeliveryId)) counters.duplicates += 1;
    if (outcome.kind === 'accepted') this.#accepted.add(pendingDeliveryId);

    const begun = time.now;
    return new Promise((resolve, reject) => {
      const answer = () => {
        invariants.responded(deliveryId, outcome);
        resolve({ outcome, durationMs: time.now - begun });
      };
      const cancelTimer = time.after(afterMs, answer, runner);
      signal.addEventListener('abort', () => {
        cancelTimer();
        reject(new Error('broken off'));
      });
    });
  }
}

function recovered({ ok, rejects }: ReceiverProfile): ReceiverProfile {
  const fails = rejects > ok;
  return { ok: fails ? 0 : 1, rejects: fails ? 1 : 0, postpones: 0, gone: 0, resets: 0, hangs: 0 };
}

/** The options of {@link Operators}. */
interface OperatorsOptions {
  readonly random: Random;
  readonly store: MemoryStore;
  readonly invariants: InvariantChecker;
  readonly counters: Counters;
  /** Whether endpoints get the events of a subject one at a time. */
  readonly ordered: boolean;
  readonly log: (line: string) => void;
}

const operations = [
  'deactivate',
  'activate',
  'activate',
  'activate',
  'unsubscribe',
  'subscribe',
  'delete',
  'rotate',
  'move',
  'replay',
  'replay',
  'replay',
  'bounce',
  'order',
  'give up',
  'give up',
] as const;

/** People who change endpoints and replay deliveries while everything else goes wrong. */
class Operators {
  readonly #options: OperatorsOptions;
  #urls = 0;
  #replays = 0;

  constructor(options: OperatorsOptions) {
    this.#options = options;
  }

  /** Runs one random operation. */
  act(): void {
    const { random, store, counters, invariants, log } = this.#options;
    const operation = random.pick(operations);
    const id = random.pick([...store.endpoints.keys()]);
    log(`operator: ${operation} ${id}`);
    counters.operations += 1;
    if (operation === 'replay') this.#replay();
    else if (operation === 'give up') this.#giveUp();
    else this.#change(operation, id);
    invariants.check();
  }

  /** Releases all dead letters that can be released. @returns their pending deliveries */
  releaseDeadLetter(): readonly string[] {
    const { store, invariants, log } = this.#options;
    const deadLettered = [...store.pendingDeliveries.values()]
      .filter((pending) => pending.deadLettered)
      .map(({ id }) => id);
    return deadLettered.filter((id) => {
      if (store.releaseDeadLetter(id) !== 'released') return false;
      log(`operator: releases ${id}`);
      invariants.deadLetterReleased(id);
      return true;
    });
  }

  #change(operation: Exclude<(typeof operations)[number], 'replay' | 'give up'>, id: string): void {
    const { store, invariants } = this.#options;

    switch (operation) {
      case 'deactivate':
        this.#deactivate(id);
        return;
      case 'bounce':
        this.#deactivate(id);
        this.#resetHealth(id, { active: true });
        return;
      case 'activate':
        this.#resetHealth(id, { active: true });
        return;
      case 'unsubscribe':
        this.#unsubscribe(id);
        return;
      case 'subscribe':
        store.updateEndpoint(id, { eventTypes });
        return;
      case 'delete':
        store.deleteEndpoint(id);
        invariants.refused(id);
        return;
      case 'rotate':
        store.rotateSecret(id);
        return;
      case 'move':
        this.#resetHealth(id, { url: `https://shop.example/${++this.#urls}` });
        return;
      case 'order':
        this.#toggleOrder(id);
    }
  }

  /** Turns order on or off, if it was drawn for any endpoint. */
  #toggleOrder(id: string): void {
    const { store, invariants, ordered } = this.#options;
    if (!ordered) return;
    const isOrdered = store.endpoints.get(id)?.ordered === true;
    store.setOrdered(id, !isOrdered);
    if (isOrdered) invariants.unordered(id);
  }

  /** Gives up a pending delivery that is not claimed. */
  #giveUp(): void {
    const { random, store, counters, invariants, log, ordered } = this.#options;
    if (!ordered || store.pendingDeliveries.size === 0) return;
    const id = random.pick([...store.pendingDeliveries.keys()]);
    if (!store.giveUp(id)) return;
    invariants.gaveUp(id);
    counters.givenUp += 1;
    log(`operator: gives up ${id}`);
  }

  #unsubscribe(id: string): void {
    const { store, invariants } = this.#options;
    const left = eventTypes.slice(1);
    const before = store.endpoints.get(id)?.eventTypes ?? [];
    store.updateEndpoint(id, { eventTypes: left });
    invariants.refused(
      id,
      before.filter((type) => !left.includes(type)),
    );
  }

  #deactivate(id: string): void {
    const { store, invariants } = this.#options;
    store.updateEndpoint(id, { active: false });
    invariants.refused(id);
  }

  /** Changes an endpoint. A changed url, or enabling it again, ends its run of failures. */
  #resetHealth(id: string, patch: { active?: boolean; url?: string }): void {
    const { store, invariants } = this.#options;
    const before = store.endpoints.get(id);
    const ends = patch.url !== undefined || before?.active === false;
    store.updateEndpoint(id, patch);
    if (ends) invariants.healthReset(id);
  }

  #replay(): void {
    const { random, store, counters, invariants } = this.#options;
    if (store.deliveries.size === 0) return;
    const source = random.pick([...store.deliveries.keys()]);
    const pending = store.replay(source, `r${++this.#replays}`);
    if (typeof pending === 'string') return;
    counters.replays += 1;
    invariants.opened([pending]);
  }
}
