// The publisher of a process: it publishes events outside of the caller's transaction.
//
// - EventPublisher.publish stores each event by itself, in groups with those of other callers
//   (group-commit.ts). Each has its own result.
// - EventPublisher.publishAtomically stores all events of one call in one transaction, or none.
//
// The data of an event is compared with the schema that this process knows. The statement that stores
// the event compares the revision of that schema: if another process has changed it, the schema is read
// and the event tried again. An event is refused only by a schema that was read a moment ago.
//
// A crash loses what waits, of which no caller was told that it is published.
import { DomainError, type Issue, validationFailed } from '../errors.js';
import { EventSchemas } from '../event-type/event-schemas.js';
import {
  type AbortState,
  SemaphoreRejected,
  TransactionAborted,
  type Tx,
} from '../transaction/tx.js';
import { GroupCommit, type GroupCommitOptions, resultOfFollower } from './group-commit.js';
import {
  nameOfKey,
  type Preparation,
  preparationAt,
  type PreparedEvent,
  type PublishRequest,
  tryPrepareEvent,
} from './prepare-event.js';
import { maxTries, preparationOf, storeInTransaction } from './publish.js';
import { type Published, SchemaOutdated } from './store-events.js';

/** Options of an {@link EventPublisher}. */
export interface PublisherOptions extends GroupCommitOptions {
  /**
   * Limits the bytes of the events that wait. Defaults to 16 MiB in total and 12 MiB per account.
   * Accounts of which at most 1 MiB waits have 8 MiB more.
   */
  readonly waitingBytes?: ByteLimits;
  /** Monotonic clock in milliseconds. */
  readonly monotonicMs: () => number;
  /** Called for an event that is published although its data breaks its schema. Must not throw. */
  readonly mismatched: (type: string, issues: readonly Issue[]) => void;
}

/** Who waits for events to be published, and in which trace. */
export interface PublishCaller extends AbortState {
  readonly traceparent?: string | undefined;
}

const mebibyte = 1_048_576;

const defaultWaitingBytes: ByteLimits = {
  total: 16 * mebibyte,
  perAccount: 12 * mebibyte,
  reserve: { total: 8 * mebibyte, perAccount: mebibyte },
};

/** How many bytes a waiting event takes in addition to its body. */
const overheadBytes = 1_024;

/** Publishes events outside of transactions, in groups with those of other callers. */
export class EventPublisher {
  readonly #options: PublisherOptions;
  /** The schemas with which it compares the data of events. */
  readonly schemas: EventSchemas;
  readonly #groups: GroupCommit;
  readonly #waitingBytes: ByteBudget;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#groups = new GroupCommit(options);
    this.schemas = new EventSchemas(options);
    this.#waitingBytes = new ByteBudget(options.waitingBytes ?? defaultWaitingBytes);
  }

  /**
   * Publishes events. Each has its own result, whatever becomes of the others.
   * @param caller its `aborted` takes the events that still wait out of the queue
   * @returns in the order of `requests`: the event, a DomainError, or an error of PostgreSQL. After
   *   an error for which {@link isUnavailable} is true, the event may be stored or not.
   */
  async publish(
    requests: readonly PublishRequest[],
    caller?: PublishCaller,
  ): Promise<(Published | Error)[]> {
    const { clock, read } = this.#options;
    const occurredAt = await clock.now();
    const preparation = preparationAt(occurredAt, read.rules.baseUrl, caller?.traceparent);
    return Promise.all(requests.map((request) => this.#publish(request, preparation, caller)));
  }

  /**
   * Publishes all events in one transaction, or none.
   * @returns in the order of `requests`. If one is refused, each of the others has the error
   *   `not_published`.
   */
  publishAtomically(
    transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
    requests: readonly PublishRequest[],
  ): Promise<(Published | DomainError)[]> {
    return publishAtomically(transact, this.schemas, requests);
  }

  async #publish(
    request: PublishRequest,
    preparation: Preparation,
    caller: PublishCaller | undefined,
  ): Promise<Published | Error> {
    const { schemas } = this;
    for (let tries = 0; tries < maxTries; tries += 1) {
      while (schemas.isTurnOver) await schemas.turn();
      if (caller?.aborted) return new TransactionAborted();

      const event = prepareChecked(schemas, preparation, request, tries > 0);
      const result = event instanceof Error ? event : await this.#store(event, caller);
      if (!(result instanceof SchemaOutdated)) {
        if (!(event instanceof Error)) reportMismatch(schemas, event, result);
        return result;
      }

      try {
        await schemas.load([result.type]);
      } catch (error) {
        return error as Error;
      }
    }

    return schemaUnresolved();
  }

  #store(event: PreparedEvent, signal: AbortState | undefined): Promise<Published | Error> {
    const { accountId } = event;
    const bytes = event.body.length;
    const reserved = bytes + overheadBytes;
    if (!this.#waitingBytes.reserve(accountId, reserved)) {
      return Promise.resolve(new SemaphoreRejected('Too many events wait to be published.'));
    }

    return new Promise((resolve) => {
      const finish = (result: Published | Error) => {
        this.#waitingBytes.release(accountId, reserved);
        resolve(result);
      };
      this.#groups.add({ accountId, bytes, event, signal, resolve: finish });
    });
  }
}

/** Writing so many bytes of a body counts as one step of comparing data with a schema. */
const bytesPerStep = 8;

/** An event whose data was compared with its schema. */
interface CheckedEvent extends PreparedEvent {
  /** How its data breaks a schema that is not enforced. */
  readonly issues: readonly Issue[];
}

/**
 * Prepares an event and compares its data with the schema of its type and version.
 * @param wasRead whether the schemas of its type were read for this call
 * @returns the event, why it is refused, or {@link SchemaOutdated} if its schemas must be read before
 *   they may refuse it
 */
function prepareChecked(
  schemas: EventSchemas,
  preparation: Preparation,
  request: PublishRequest,
  wasRead: boolean,
): CheckedEvent | DomainError | SchemaOutdated {
  const event = tryPrepareEvent(preparation, request.accountId, request);
  if (event instanceof DomainError) return event;
  schemas.spend(event.body.length / bytesPerStep);
  const { type, version } = event;
  const { validation, revision, issues } = schemas.validate(type, version, request.data);
  if (issues.length > 0) {
    if (!schemas.mayRefuse(type, wasRead)) return new SchemaOutdated(type);
    const mustFit = validation === 'enforce' || issues[0]?.code === 'unknown_event_version';
    if (mustFit) return validationFailed(issues);
  }
  return { ...event, revision, issues };
}

/** Reports an event that was published although its data breaks its schema. A repeated event was reported before. */
function reportMismatch(
  schemas: EventSchemas,
  { type, issues }: CheckedEvent,
  result: Published | Error,
): void {
  if (issues.length > 0 && !(result instanceof Error) && result.created) {
    schemas.mismatched(type, issues);
  }
}

/** Makes the error for a type whose schemas keep changing. */
function schemaUnresolved(): SemaphoreRejected {
  return new SemaphoreRejected(`The schemas of the event type changed ${maxTries} times.`);
}

type Result = Published | DomainError;

/** Rolls the transaction back. */
class Refused extends Error {
  constructor(readonly results: readonly Result[]) {
    super('An event of the call was refused.');
  }
}

/**
 * Publishes all events in one transaction, or none.
 * @returns in the order of `requests`. If one is refused, each of the others has the error
 *   `not_published`.
 */
async function publishAtomically(
  transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  schemas: EventSchemas,
  requests: readonly PublishRequest[],
): Promise<Result[]> {
  const read = new Set<string>();
  for (let tries = 0; tries < maxTries; tries += 1) {
    let prepared: readonly Prepared[] = [];
    try {
      const published = await transact(async (tx) => {
        prepared = await prepareAll(tx, schemas, requests, read);
        const results = await storeAll(tx, prepared);
        if (results.some((result) => result instanceof DomainError)) throw new Refused(results);
        return results;
      });

      for (const [place, result] of published.entries()) {
        const event = prepared[place];
        if (event && !(event instanceof Error)) reportMismatch(schemas, event, result);
      }

      return published;
    } catch (error) {
      if (error instanceof SchemaOutdated) {
        await loadStale(schemas, typesOf(prepared), error.type, read);
      } else if (!(error instanceof Refused)) {
        throw error;
      } else {
        return error.results.map((result) =>
          result instanceof DomainError ? result : notPublished(),
        );
      }
    }
  }

  throw schemaUnresolved();
}

type Prepared = ReturnType<typeof prepareChecked>;

async function prepareAll(
  tx: Tx,
  schemas: EventSchemas,
  requests: readonly PublishRequest[],
  read: ReadonlySet<string>,
): Promise<readonly Prepared[]> {
  const preparation = preparationOf(tx);
  const prepared: Prepared[] = [];
  for (const request of requests) {
    while (schemas.isTurnOver) await schemas.turn();
    prepared.push(prepareChecked(schemas, preparation, request, read.has(request.type)));
  }
  return prepared;
}

function typesOf(prepared: readonly Prepared[]): ReadonlySet<string> {
  return new Set(prepared.flatMap((event) => (event instanceof DomainError ? [] : [event.type])));
}

/**
 * Reads all stale schemas of the call at once, so that the number of its types costs no try.
 * @param read the types that were read for this call; gets those that are read now
 */
async function loadStale(
  schemas: EventSchemas,
  types: ReadonlySet<string>,
  outdated: string,
  read: Set<string>,
): Promise<void> {
  const stale = [...types].filter(
    (type) => type === outdated || !schemas.mayRefuse(type, read.has(type)),
  );
  await schemas.load(stale);
  for (const type of stale) read.add(type);
}

async function storeAll(tx: Tx, all: readonly Prepared[]): Promise<Result[]> {
  const prepared = all.map((event) => {
    if (event instanceof SchemaOutdated) throw event;
    return event;
  });

  const events: PreparedEvent[] = prepared.flatMap((event) =>
    event instanceof DomainError ? [] : [event],
  );

  const { plain, leaders, followers } = groupsOf(events);
  const results = new Map<PreparedEvent, Result>([
    ...(await storeInTransaction(tx, plain)),
    ...(await storeInTransaction(tx, leaders)),
  ]);

  for (const [event, leader] of followers) {
    const result = resultOfFollower(leader, event, results.get(leader) ?? notPublished());
    results.set(event, result ?? notPublished());
  }

  return prepared.map((event) =>
    event instanceof DomainError ? event : (results.get(event) ?? notPublished()),
  );
}

/** Finds events without keys, the first event of each key, and later ones with the first of theirs. */
function groupsOf(events: readonly PreparedEvent[]) {
  const plain: PreparedEvent[] = [];
  const leaders = new Map<string, PreparedEvent>();
  const followers: [PreparedEvent, PreparedEvent][] = [];
  for (const event of events) {
    const name = nameOfKey(event);
    const leader = name === undefined ? undefined : leaders.get(name);
    if (name === undefined) plain.push(event);
    else if (leader) followers.push([event, leader]);
    else leaders.set(name, event);
  }
  return { plain, leaders: [...leaders.values()], followers };
}

function notPublished(): DomainError {
  const detail = 'Another event of the call was refused, so none was published.';
  return new DomainError('state_conflict', detail, [{ code: 'not_published', detail }]);
}

/** How many bytes of events may wait. */
interface ByteLimits {
  readonly total: number;
  readonly perAccount: number;
  /** More room for accounts of which at most its `perAccount` waits: the others cannot fill it. */
  readonly reserve: Omit<ByteLimits, 'reserve'>;
}

/** Counts the bytes that wait, in total and per account. */
export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #accounts = new Map<string, number>();
  #total = 0;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** The bytes that wait now. */
  get total(): number {
    return this.#total;
  }

  /** Counts `bytes` of an account. Returns false, and counts nothing, if they exceed a limit. */
  reserve(account: string, bytes: number): boolean {
    const { total, perAccount, reserve } = this.#limits;
    const ofAccount = (this.#accounts.get(account) ?? 0) + bytes;
    const limit = ofAccount > reserve.perAccount ? total : total + reserve.total;
    if (ofAccount > perAccount || this.#total + bytes > limit) return false;
    this.#accounts.set(account, ofAccount);
    this.#total += bytes;
    return true;
  }

  release(account: string, bytes: number): void {
    const ofAccount = (this.#accounts.get(account) ?? 0) - bytes;
    if (ofAccount > 0) this.#accounts.set(account, ofAccount);
    else this.#accounts.delete(account);
    this.#total -= bytes;
  }
}
