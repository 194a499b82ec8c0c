import { Field, ID, Int, ObjectType } from '../type-graphql.js';
import type { Delivery } from '../../domain/delivery/deliveries.js';
import type { EndpointState } from '../../domain/delivery/health.js';
import {
  type EventTrail,
  type TrailEndpoint,
  type TrailState,
  trailStates,
} from '../../domain/delivery/event-trail.js';
import type { EventSummary } from '../../domain/event/events.js';
import { pageType } from '../cursor-page.js';
import { WebhookDeliveryType } from '../delivery/types.js';
import { EndpointState as EndpointStateEnum } from '../endpoint/types.js';
import { enumType } from '../enum-type.js';
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

const TrailStateEnum = enumType('TrailState', trailStates, {
  description:
    'What became of an event at an endpoint. `due` waits for a worker, `waiting` for its next attempt. `given_up` has no further attempt. The others never had one: `stream_only` and `other_endpoint` of test events, `created_later` and `subscribed_later` than the event, `not_subscribed` and `inactive` today. `not_addressed` would get it today.',
});

/** An endpoint of the account of an event, and what it got of it. */
@ObjectType('TrailEndpoint')
class TrailEndpointType implements TrailEndpoint {
  @Field(() => ID)
  endpointId!: string;

  @Field(() => String)
  url!: string;

  @Field(() => EndpointStateEnum)
  endpointState!: EndpointState;

  @Field(() => Boolean)
  deleted!: boolean;

  @Field(() => TrailStateEnum)
  state!: TrailState;

  @Field(() => Int, { description: 'How many attempts are recorded.' })
  attempts!: number;

  @Field(() => WebhookDeliveryType, { nullable: true, description: 'Its latest attempt.' })
  latest!: Delivery | null;

  @Field(() => ID, { nullable: true })
  pendingDeliveryId!: string | null;

  @Field(() => Int, { nullable: true, description: 'Number of the next attempt.' })
  nextAttempt!: number | null;

  @Field(() => DateTime, { nullable: true, description: 'When the next attempt is due.' })
  dueAt!: Date | null;
}

/** An event of any account, with what became of it at each endpoint. */
@ObjectType('EventTrail')
export class EventTrailType extends EventSummaryType implements EventTrail {
  @Field(() => ID)
  accountId!: string;

  @Field(() => [TrailEndpointType], {
    description: 'Those that it was sent to or waits for first; at most 100.',
  })
  endpoints!: TrailEndpoint[];

  @Field(() => Boolean, {
    description: 'False when there are more endpoints or attempts than are read.',
  })
  complete!: boolean;
}
