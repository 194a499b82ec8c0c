import { Field, ID, ObjectType } from '../type-graphql.js';
import type { EventSummary } from '../../domain/event/events.js';
import { pageType } from '../cursor-page.js';
import { DateTime } from '../scalars.js';

/** A published event, as in a list. */
@ObjectType('EventSummary')
class EventSummaryType implements EventSummary {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  type!: string;

  @Field(() => String)
  version!: string;

  @Field(() => String, { description: 'The object of the event, such as `order:ord_…`.' })
  subject!: string;

  @Field(() => Boolean)
  test!: boolean;

  @Field(() => DateTime)
  occurredAt!: Date;
}

/** A published event. Resolvers look up `body` and `deliveries`. */
@ObjectType('Event')
export class EventDetailType extends EventSummaryType {}

/** Events of an account, newest first. */
export const EventPageType = pageType('EventPage', EventSummaryType);
