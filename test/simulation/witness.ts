import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim, Lane } from '../../src/domain/delivery/claim.js';
import type { Outcome } from '../../src/domain/delivery/outcome.js';
import type { SettleResult } from '../../src/domain/delivery/settle.js';
import type { Settlement } from '../../src/domain/delivery/settlement.js';
import { promised } from './broken-promise.js';
import { Failures } from './failures.js';
import type { MemoryStore } from './memory-store.js';
import type { Plan } from './plan.js';
import { type ChainRow, takesChain } from './rows.js';
import type { Runner } from './virtual-time.js';

interface Lease {
  readonly token: number;
  readonly lane: Lane;
  until: number;
  over: boolean;
  begun: boolean;
}

interface Witnessed {
  readonly row: ChainRow;
  readonly publishedAt: number;
  readonly records: { readonly id: string; readonly attempt: number }[];
  lease: Lease | undefined;
  /** Claims that were made to run alone, and neither given back nor settled. */
  aloneClaims: number;
  /** No attempt may be claimed before. */
  earliest: number;
  ended: boolean;
  /** Its endpoint did not take it at some moment while nobody sent it: it is never sent again. */
  doomed: boolean;
}

/** When an endpoint last took nothing that there was, or nothing of a type. */
interface Refusals {
  all: number;
  readonly types: Map<string, number>;
}

/** First attempts begin so soon where nothing goes wrong and there is room. */
const promptMs = 100;
/** Retries have one wake-up for the whole second, at its end. */
const wakeupEveryMs = 1_000;

/**
 * Watches everything that processes, receivers and operators do, and says what breaks a promise of
 * the service. Keeps books of its own: what it believes is never asked of the part it watches.
 */
export class Witness {
  readonly #plan: Plan;
  readonly #store: MemoryStore;
  readonly #now: () => number;
  readonly #chains = new Map<string, Witnessed>();
  readonly #open = new Set<string>();
  readonly #answers = new Map<string, Outcome>();
  readonly #inFlight = new Map<Runner, Map<string, number>>();
  readonly #failures: Failures;
  readonly #refusals = new Map<string, Refusals>();
  /** Attempts by chain and how many are recorded of it. */
  readonly #sent = new Set<string>();
  #disablings = 0;

  /** @param now milliseconds since 1970 */
  constructor(plan: Plan, store: MemoryStore, now: () => number) {
    this.#plan = plan;
    this.#store = store;
    this.#now = now;
    this.#failures = new Failures(plan.policy);
  }

  /** Chains that have not ended. */
  get open(): number {
    return this.#open.size;
  }

  /** Chains came to be: the promise to deliver is given. */
  opened(rows: readonly ChainRow[]): void {
    for (const row of rows) {
      const at = this.#now();
      const books = { records: [], lease: undefined, earliest: at, ended: false, aloneClaims: 0 };
      this.#chains.set(row.id, { row, publishedAt: at, doomed: false, ...books });
      this.#open.add(row.id);
    }
  }

  claimed(lane: Lane, claims: readonly Claim[], leaseMs: number): void {
    const now = this.#now();
    for (const { chainId, token, attempt, maxAttempts, secrets } of claims) {
      const chain = this.#chain(chainId);
      const { lease, records, row } = chain;
      promised(!chain.ended, `${chainId} is claimed after its end`);
      promised(!chain.doomed, `${chainId} is claimed although it was cancelled`);
      promised(!lease || lease.over || lease.until <= now, `${chainId} is claimed twice at a time`);
      promised(attempt === records.length + 1, `${chainId} is claimed for attempt ${attempt}`);
      promised(attempt <= maxAttempts, `${chainId} is claimed over its budget`);
      promised(now >= chain.earliest, `${chainId} is claimed before it is due`);
      promised(secrets.length > 0, `${chainId} is claimed without a secret`);
      promised(this.#isTaken(row), `${chainId} is claimed for an endpoint that does not take it`);
      if (lane === 'alone') chain.aloneClaims += 1;
      chain.lease = { token, lane, until: now + leaseMs, over: false, begun: false };
    }
  }

  /** These leases last so long from now. */
  extended(tokens: readonly number[], leaseMs: number): void {
    for (const id of this.#open) {
      const { lease } = this.#chain(id);
      if (lease && tokens.includes(lease.token)) lease.until = this.#now() + leaseMs;
    }
  }

  /** Claims were given back without an attempt. */
  released(claims: readonly Pick<Claim, 'chainId' | 'token'>[]): void {
    for (const { chainId, token } of claims) {
      const chain = this.#chain(chainId);
      const { lease } = chain;
      if (lease?.token !== token || lease.over) continue;
      lease.over = true;
      if (lease.lane === 'alone') chain.aloneClaims -= 1;
    }
  }

  /** A request leaves a process, in which so many outcomes wait to be recorded. */
  began(
    runner: Runner,
    lane: Lane,
    { chainId, token, endpointId }: Claim,
    unsettled: number,
  ): void {
    const now = this.#now();
    const { lease, earliest, records } = this.#chain(chainId);
    promised(lease?.token === token && !lease.over, `${chainId} is sent without a claim`);
    promised(now < lease.until, `${chainId} is sent after its lease ended`);
    promised(!lease.begun, `${chainId} is sent twice under one claim`);
    lease.begun = true;
    const isAgain = this.#sent.has(`${chainId} ${records.length}`);
    promised(!this.#plan.refusing || !isAgain, `${chainId} is sent again though nobody died`);
    this.#sent.add(`${chainId} ${records.length}`);
    if (this.#plan.quiet) {
      const isRetry = records.length > 0;
      const wokenAt = isRetry ? Math.ceil(earliest / wakeupEveryMs) * wakeupEveryMs : earliest;
      const late = now - wokenAt - promptMs;
      promised(late <= 0, `${chainId} is sent ${Math.round(late)} ms late for no reason`);
    }
    const others = this.#count(runner, 'all', 1) - 1;
    const isAlone = this.#count(runner, 'alone', 0) === 0 || others === 0;
    const leavesNothing = lane !== 'alone' || (others === 0 && unsettled === 0);
    promised(isAlone && leavesNothing, `${chainId} is not sent alone`);
    const { slots, perEndpoint } = this.#plan;
    promised(this.#count(runner, lane, 1) <= slots, 'a process has more attempts than slots');
    const here = this.#count(runner, `${lane} ${endpointId}`, 1);
    promised(here <= perEndpoint, `${here} attempts of a process at ${endpointId}`);
  }

  /** The process knows what came of a request, or has broken it off. */
  left(runner: Runner, lane: Lane, { endpointId }: Claim): void {
    this.#count(runner, 'all', -1);
    this.#count(runner, lane, -1);
    this.#count(runner, `${lane} ${endpointId}`, -1);
  }

  answered(deliveryId: string, outcome: Outcome): void {
    this.#answers.set(deliveryId, outcome);
  }

  settled(ended: readonly EndedAttempt[], { settled, disabled }: SettleResult): void {
    for (const settlement of settled) {
      promised(ended.includes(settlement.ended), 'something else was settled');
      this.#record(settlement, disabled);
    }
    const wasLive = (id: string) => this.#isLive(id) || disabled.includes(id);
    const urlOf = (id: string) => this.#store.endpoints.get(id)?.url ?? '';
    this.#failures.judge(settled, disabled, wasLive, urlOf);
    this.#disablings += disabled.length;
    promised(this.#store.notices.length === this.#disablings, 'not one notice for each disabling');
    for (const id of disabled) {
      promised(!this.#isLive(id), `${id} is disabled and goes on`);
      this.refused(id);
    }
  }

  /** From this moment on the endpoint does not take what there is, or nothing of these types. */
  refused(endpointId: string, types?: readonly string[]): void {
    const refusals = this.#refusals.get(endpointId) ?? { all: -Infinity, types: new Map() };
    this.#refusals.set(endpointId, refusals);
    if (!types) refusals.all = this.#now();
    for (const type of types ?? []) refusals.types.set(type, this.#now());
    for (const id of this.#open) {
      const chain = this.#chain(id);
      const { endpointId: to, test, eventType } = chain.row;
      const concerned = to === endpointId && (!types || (!test && types.includes(eventType)));
      // Whoever still holds it may settle it, and then it goes on.
      if (concerned && (!chain.lease || chain.lease.over)) chain.doomed = true;
    }
  }

  /** So many claims ended with their leases; where processes neither die nor stand still, none does. */
  interrupted(chains: number): void {
    promised(
      !this.#plan.deaf || chains === 0,
      'a claim that nobody heard of counts as interrupted',
    );
    promised(
      !this.#plan.refusing || chains === 0,
      'what a process that lives could not record counts as interrupted',
    );
  }

  /** Nobody claims these any more; each was interrupted three times while nothing else was sent. */
  parked(chainIds: readonly string[]): void {
    for (const id of chainIds) {
      const { aloneClaims } = this.#chain(id);
      const isPoison = id.startsWith('v1>');
      promised(!this.#plan.poisonous || isPoison, `${id} is parked for its neighbour`);
      promised(aloneClaims >= 3, `${id} is parked after ${aloneClaims} claims alone`);
    }
  }

  /** An operator lets a parked chain be claimed again. */
  unparked(chainId: string): void {
    this.#chain(chainId).aloneClaims = 0;
  }

  /** Somebody enabled the endpoint again, or gave it another url. */
  calmed(endpointId: string): void {
    this.#failures.forget(endpointId);
  }

  /** To be asked after everything that the store carried out. */
  look(): void {
    if (this.#store.chains.size === this.#open.size) return;
    for (const id of this.#open) {
      if (this.#store.chains.has(id)) continue;
      const { row, lease } = this.#chain(id);
      const isHeld = lease !== undefined && !lease.over && lease.until > this.#now();
      promised(!isHeld, `${id} vanished while somebody held it`);
      const explained = !this.#isTaken(row) || this.#wasRefused(row);
      promised(explained, `${id} is lost: it vanished without an end`);
      this.#end(id);
    }
  }

  /** Everything should have ended by this moment. */
  close(): void {
    promised(this.#open.size === 0, `${[...this.#open].join(', ')} did not end`);
  }

  #record({ ended, status, dueAt }: Settlement, disabled: readonly string[]): void {
    const { claim, deliveryId, outcome } = ended;
    const { chainId, attempt, maxAttempts, endpointId } = claim;
    const chain = this.#chain(chainId);
    const { lease, records, row } = chain;
    promised(lease?.token === claim.token && !lease.over, `a lost claim of ${chainId} is recorded`);
    promised(attempt === records.length + 1, `${chainId} has a record of attempt ${attempt}`);
    promised(attempt <= row.maxAttempts, `${chainId} has a record over its budget`);
    promised(
      this.#answers.get(deliveryId) === outcome,
      `${chainId} is recorded with a wrong outcome`,
    );
    lease.over = true;
    chain.aloneClaims = 0;
    records.push({ id: deliveryId, attempt });
    const gone = 'status' in outcome && outcome.status === 410;
    const taken = this.#isTaken(row) && !disabled.includes(endpointId);
    const last = gone || attempt === maxAttempts || !taken;
    const expected = outcome.kind === 'accepted' ? 'success' : last ? 'abandoned' : 'failed';
    promised(status === expected, `${chainId} is recorded as ${status}, not ${expected}`);
    promised((dueAt === null) === (status !== 'failed'), `${chainId} goes on after its end or not`);
    if (!dueAt) this.#end(chainId);
    else chain.earliest = this.#earliest(ended, dueAt.getTime());
  }

  /** When the next attempt is due, checked against the schedule as H63 has it. */
  #earliest({ claim, startedAt, durationMs, outcome }: EndedAttempt, dueAt: number): number {
    const { delaysMs, jitter } = this.#plan.policy;
    const delay = delaysMs[claim.attempt - 1] ?? 0;
    const postponed = (outcome.kind === 'rejected' && outcome.retryAfter?.delayMs) || 0;
    const after = dueAt - startedAt.getTime() - Math.round(durationMs);
    const least = Math.max(delay * (1 - jitter), postponed) - 1;
    const most = Math.max(delay * (1 + jitter), postponed) + 1;
    promised(after >= least && after <= most, `${claim.chainId} is due again after ${after} ms`);
    return dueAt;
  }

  #end(id: string): void {
    const chain = this.#chain(id);
    chain.ended = true;
    this.#open.delete(id);
    for (const [place, record] of chain.records.entries()) {
      const status = this.#store.deliveries.get(record.id)?.status;
      const isLast = place === chain.records.length - 1;
      promised(
        status === 'failed' ? !isLast : isLast,
        `${id} ends with ${status} as ${place + 1}.`,
      );
    }
  }

  #isLive(endpointId: string): boolean {
    const endpoint = this.#store.endpoints.get(endpointId);
    return endpoint !== undefined && endpoint.active && !endpoint.deleted;
  }

  /** Whether its endpoint did not take it at some moment since it was opened. */
  #wasRefused({ id, endpointId, test, eventType }: ChainRow): boolean {
    const refusals = this.#refusals.get(endpointId);
    const { publishedAt } = this.#chain(id);
    const ofType = test ? -Infinity : (refusals?.types.get(eventType) ?? -Infinity);
    return publishedAt <= Math.max(refusals?.all ?? -Infinity, ofType);
  }

  #isTaken(row: ChainRow): boolean {
    const endpoint = this.#store.endpoints.get(row.endpointId);
    return endpoint !== undefined && takesChain(endpoint, row);
  }

  #count(runner: Runner, what: string, change: number): number {
    const counts = this.#inFlight.get(runner) ?? new Map<string, number>();
    this.#inFlight.set(runner, counts);
    const count = (counts.get(what) ?? 0) + change;
    counts.set(what, count);
    return count;
  }

  #chain(id: string): Witnessed {
    const chain = this.#chains.get(id);
    promised(chain !== undefined, `nobody published ${id}`);
    return chain;
  }
}
