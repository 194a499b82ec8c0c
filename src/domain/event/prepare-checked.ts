import { DomainError, type Issue, validationFailed } from '../errors.js';
import type { EventSchemas } from '../event-type/event-schemas.js';
import { SemaphoreRejected } from '../tx.js';
import {
  type Preparation,
  type PreparedEvent,
  type PublishRequest,
  tryPrepareEvent,
} from './prepare-event.js';
import { maxTries } from './publish.js';
import { type Published, SchemaOutdated } from './store-events.js';

/** Of the body: to write it takes a fraction of what it takes to compare its data. */
const bytesPerStep = 8;

/** An event whose data was compared with its schema. */
export interface CheckedEvent extends PreparedEvent {
  /** How its data breaks a schema that is not enforced. */
  readonly issues: readonly Issue[];
}

/**
 * Prepares an event and compares its data with the schema of its type and version.
 * @param wasRead whether the schemas of its type were read for this call
 * @returns the event, why it is refused, or {@link SchemaOutdated} if its schemas must be read before
 *   they may refuse it
 */
export function prepareChecked(
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

/** Reports an event that was published although its data breaks its schema. A repetition was reported before. */
export function reportMismatch(
  schemas: EventSchemas,
  { type, issues }: CheckedEvent,
  result: Published | Error,
): void {
  if (issues.length > 0 && !(result instanceof Error) && result.created) {
    schemas.mismatched(type, issues);
  }
}

/** Makes the error for a type whose schemas keep changing. */
export function schemaUnresolved(): SemaphoreRejected {
  return new SemaphoreRejected(`The schemas of the event type changed ${maxTries} times.`);
}
