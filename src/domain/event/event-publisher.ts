// The publisher of a process: what a publish is, for callers without a transaction of their own. Payments and other
// changes of state publish in their transaction (publish.ts).
//
// - EventPublisher.publish stores each event by itself, in a group with the events of other callers (group-commit.ts).
//   Each event has its own result.
// - EventPublisher.publishAtomically stores all events of one call in one transaction, or none.
//
// Both compare the data of an event with the schemas that this process remembers. The statement that stores the event
// compares the revision of its schema: if another process has changed the schema, it is read, and the event tried
// again. So an event is refused only by a schema that was read a moment ago.
//
// A crash loses the events that wait. No caller was told that they are published.
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
  /** Monotonic clock in milliseconds. */
  readonly monotonicMs: () => number;
  /** Called for an event that is published although its data breaks its schema. Must not throw. */
  readonly mismatched: (type: string, issues: readonly Issue[]) => void;
}

/** Who waits for events to be published, and in which trace. */
export interface PublishCaller extends AbortState {
  readonly traceparent?: string | undefined;
}

/** Publishes events outside of transactions, in groups with those of other callers. */
export class EventPublisher {
  readonly #options: PublisherOptions;
  /** The schemas with which it compares the data of events. */
  readonly schemas: EventSchemas;
  readonly #groupCommit: GroupCommit;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#groupCommit = new GroupCommit(options);
    this.schemas = new EventSchemas(options);
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
    return Promise.all(requests.map((request) => this.#publishOne(request, preparation, caller)));
  }

  /**
   * Publishes all events in one transaction, or none.
   * @returns in the order of `requests`. If one is refused, each of the others has the error
   *   `not_published`.
   */
  async publishAtomically(
    transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
    requests: readonly PublishRequest[],
  ): Promise<Result[]> {
    const { schemas } = this;
    const loaded = new Set<string>();
    for (let tries = 0; tries < maxTries; tries += 1) {
      let prepared: readonly Prepared[] = [];
      try {
        const published = await transact(async (tx) => {
          prepared = await prepareAll(tx, schemas, requests, loaded);
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
        if (error instanceof Refused) return error.results.map(errorOf);
        if (!(error instanceof SchemaOutdated)) throw error;
        await loadStale(schemas, typesOf(prepared), error.type, loaded);
      }
    }

    throw schemaUnresolved();
  }

  async #publishOne(
    request: PublishRequest,
    preparation: Preparation,
    caller: PublishCaller | undefined,
  ): Promise<Published | Error> {
    const { schemas } = this;
    for (let tries = 0; tries < maxTries; tries += 1) {
      while (schemas.isTurnOver) await schemas.turn();
      if (caller?.aborted) return new TransactionAborted();

      const event = prepareChecked(schemas, preparation, request, tries > 0);
      const result = event instanceof Error ? event : await this.#groupCommit.store(event, caller);
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
}

/** Writing this many bytes of a body counts as one step of validation. */
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

/** What became of an event of {@link EventPublisher.publishAtomically}. */
type Result = Published | DomainError;

/** Rolls the transaction back. */
class Refused extends Error {
  constructor(readonly results: readonly Result[]) {
    super('An event of the call was refused.');
  }
}

type Prepared = ReturnType<typeof prepareChecked>;

/** Returns the result of an event whose call was refused. */
function errorOf(result: Result): DomainError {
  return result instanceof DomainError ? result : notPublished();
}

async function prepareAll(
  tx: Tx,
  schemas: EventSchemas,
  requests: readonly PublishRequest[],
  loaded: ReadonlySet<string>,
): Promise<readonly Prepared[]> {
  const preparation = preparationOf(tx);
  const prepared: Prepared[] = [];
  for (const request of requests) {
    while (schemas.isTurnOver) await schemas.turn();
    prepared.push(prepareChecked(schemas, preparation, request, loaded.has(request.type)));
  }
  return prepared;
}

function typesOf(prepared: readonly Prepared[]): ReadonlySet<string> {
  return new Set(prepared.flatMap((event) => (event instanceof DomainError ? [] : [event.type])));
}

/**
 * Reads all stale schemas of the call at once, so that the number of its types costs no try.
 * @param loaded the types whose schemas were read for this call; gets those that are read now
 */
async function loadStale(
  schemas: EventSchemas,
  types: ReadonlySet<string>,
  outdated: string,
  loaded: Set<string>,
): Promise<void> {
  const stale = [...types].filter(
    (type) => type === outdated || !schemas.mayRefuse(type, loaded.has(type)),
  );
  await schemas.load(stale);
  for (const type of stale) loaded.add(type);
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
