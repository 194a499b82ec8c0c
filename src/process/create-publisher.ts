import { DatabaseClock } from '../database/clock.js';
import { EventPublisher, type PublisherOptions } from '../domain/event/event-publisher.js';

/** Creates the publisher of this process. Its groups use at most two connections of `read`. */
export function createPublisher(options: Omit<PublisherOptions, 'clock'>): EventPublisher {
  return new EventPublisher({ ...options, clock: new DatabaseClock(options.read) });
}
