import type { Delivery } from '../../domain/delivery/deliveries.js';
import {
  type EventAtEndpoint,
  type EventTrail,
  readEventAtEndpoint,
  readEventTrail,
  type TrailEndpoint,
  type TrailState,
  trailStates,
} from '../../domain/delivery/event-trail.js';
import type { EndpointState } from '../../domain/delivery/health.js';
import { searchDeliveries } from '../../domain/delivery/search.js';
import { DomainError, type Issue } from '../../domain/errors.js';
import {
  type EventSummary,
  getEvent,
  getEventBody,
  searchEvents,
} from '../../domain/event/events.js';
import { checkCount, type PublishRequest } from '../../domain/event/prepare-event.js';
import type { Published } from '../../domain/event/store-events.js';
import { sendTestEvent } from '../../domain/test-event/test-event.js';
import { AccountId, accountOf, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { type PageOf, cursorPageType } from '../lists.js';
import { DateTime, Json } from '../scalars.js';
import {
  Arg,
  Ctx,
  enumType,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';
import { WebhookDeliveryPage, WebhookDeliveryType } from './delivery.js';
import { EndpointState as EndpointStateEnum } from './endpoint.js';

@InputType('PublishEventInput')
export class PublishEventInput {
  @Field(() => ID)
  account!: string;

  @Field(() => String)
  type!: string;

  @Field(() => String, { nullable: true, description: 'Defaults to `v1`.' })
  version?: string | null;

  @Field(() => String, { description: 'The object of the event, such as `order:ord_…`.' })
  subject!: string;

  @Field(() => Json, { description: 'An object that fits the schema of the type and version.' })
  data!: Record<string, unknown>;

  @Field(() => Boolean, { nullable: true })
  test?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'The same key with the same content publishes the event once.',
  })
  key?: string | null;
}

/** A published event, which the workers deliver. */
@ObjectType('PublishedEvent')
class PublishedEvent implements Published {
  @Field(() => ID)
  id!: string;

  @Field(() => Boolean, { description: 'False when an event with this key existed.' })
  created!: boolean;
}

/** Why one event of several was refused. */
@ObjectType('PublishError')
class PublishError {
  @Field(() => String, {
    description: 'As in the errors of a Problem, such as `unknown_event_type`.',
  })
  code!: string;

  @Field(() => String)
  detail!: string;

  @Field(() => String, { nullable: true, description: 'The member of the input.' })
  param?: string | undefined;
}

/** The result for one of several events. */
@ObjectType('PublishResult')
class PublishResult {
  @Field(() => ID, { nullable: true, description: 'Null with an error.' })
  id?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'False when an event with this key existed. Null with an error.',
  })
  created?: boolean;

  @Field(() => PublishError, { nullable: true })
  error?: PublishError;
}

/** A test event of one type, to one endpoint or to the stream only. */
@InputType('SendTestEventInput')
class SendTestEventInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Defaults to no endpoint: only the stream shows the event.',
  })
  endpoint?: string | null;

  @Field(() => String, {
    description: 'A type that the service emits. The endpoint need not subscribe to it.',
  })
  type!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Defaults to the lowest version of the type.',
  })
  version?: string | null;

  @Field(() => Json, {
    nullable: true,
    description: 'Must fit the schema of the version. Defaults to its example with fresh ids.',
  })
  data?: Record<string, unknown> | null;

  @Field(() => ID, { nullable: true })
  account?: string | null;
}

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
class EventDetailType extends EventSummaryType {}

/** Events of an account, newest first. */
const EventPageType = cursorPageType('EventPage', EventSummaryType);

const TrailStateEnum = enumType('TrailState', trailStates, {
  description:
    'What became of an event at an endpoint. `due` waits for a worker, `waiting` for its next attempt, `waiting_for_turn` for the event before it of its subject. `given_up` has no further attempt. The others never had one: `stream_only` and `other_endpoint` of test events, `created_later` and `subscribed_later` than the event, `not_subscribed` and `inactive` today, `filtered` by a filter older than the event, `filter_changed` since the event, so that nobody knows whether the filter of then matched. `not_addressed` would get the event today. `eventAtEndpoint` knows more: `not_subscribed` and `inactive` when the event was published, `cancelled` before the first attempt, `deleted`; and `not_addressed` if nothing tells.',
});

/** An endpoint of the event's account, and what became of the event there. */
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

/** What became of an event at one endpoint, and why. */
@ObjectType('EventAtEndpoint')
class EventAtEndpointType extends TrailEndpointType implements EventAtEndpoint {
  @Field(() => DateTime, {
    nullable: true,
    description:
      'When it subscribed, was created, enabled again or deleted, its filter changed, or the delivery was cancelled: what `state` names. Null if unknown.',
  })
  at!: Date | null;

  @Field(() => String, { nullable: true, description: 'The filter of today.' })
  filter!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When it changed, if after the event.' })
  filterChangedAt!: Date | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the event matches the filter of today. Null without one.',
  })
  matches!: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'How many deliveries of the endpoint are due before this one, or come before it in its subject if it waits for its turn. At most 10,000 are read. Null unless it is open.',
  })
  ahead!: number | null;
}

/** An event of any account, with what became of it at each endpoint. */
@ObjectType('EventTrail')
class EventTrailType extends EventSummaryType implements EventTrail {
  @Field(() => ID)
  accountId!: string;

  @Field(() => [TrailEndpointType], {
    description: 'At most 100 endpoints, first those with deliveries of the event.',
  })
  endpoints!: TrailEndpoint[];

  @Field(() => Boolean, {
    description: 'False when there are more endpoints or attempts than are read.',
  })
  complete!: boolean;
}

/** An event and the account that it was looked up in. */
type EventOfAccount = EventSummary & { readonly account: string };

/** Publishes events and reads published ones. Internal credentials must name `account`. */
@Resolver(() => EventDetailType)
export class EventResolver {
  @Authorized('internal')
  @Mutation(() => PublishedEvent)
  async publishEvent(
    @Ctx() { publish }: Context,
    @Arg('input', () => PublishEventInput) input: PublishEventInput,
  ): Promise<Published> {
    const [result] = await publish([requestOf(input)]);
    if (result === undefined) throw new Error('The publisher returned no result.');
    if (result instanceof Error) throw result;
    return result;
  }

  @Authorized('internal')
  @Mutation(() => [PublishResult], {
    description: `Publishes 1 to 1,000 events of any accounts. Returns one result for each, in order. With \`atomic\`, publishes all or none.`,
  })
  async publishEvents(
    @Ctx() { publish, publishAtomically, report, toIssue }: Context,
    @Arg('input', () => [PublishEventInput]) input: PublishEventInput[],
    @Arg('atomic', () => Boolean, { nullable: true, defaultValue: false }) atomic: boolean | null,
  ): Promise<(Published | { readonly error: Issue<string> })[]> {
    checkCount(input);
    const requests = input.map(requestOf);
    const results = await (atomic ? publishAtomically(requests) : publish(requests));

    // A thousand events may fail for the same reason: report one of them.
    const failures = results.filter(isFailure).map((error) => [error.message, error] as const);
    for (const failure of new Map(failures).values()) report(failure);

    return results.map((result) => (result instanceof Error ? { error: toIssue(result) } : result));
  }

  @Authorized('webhooks:write')
  @Mutation(() => PublishedEvent, {
    description:
      'Sends a test event to one endpoint, once, or to the stream only, which shows it for a day.',
  })
  async sendTestEvent(
    @Ctx() context: Context,
    @Arg('input', () => SendTestEventInput) input: SendTestEventInput,
  ): Promise<Published> {
    const account = await accountOf(context, input.account);
    const event = {
      endpointId: input.endpoint ?? undefined,
      type: input.type,
      version: input.version ?? undefined,
      data: input.data ?? undefined,
    };
    const send = () =>
      context.transact((tx) => sendTestEvent(tx, context.schemas(), account, event));
    return context.rateLimited('test', send);
  }

  @Authorized('webhooks:read')
  @Query(() => EventDetailType, { description: 'An event of the last 30 days.' })
  async event(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<EventOfAccount> {
    return { ...(await getEvent(context.read, account, id)), account };
  }

  @Authorized('webhooks:read')
  @Query(() => EventPageType, {
    description:
      'Events of the last 30 days. Reads at most 10,000 for a page: go on while `hasMore`, also after an empty page.',
  })
  async events(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('type', () => String, { nullable: true }) type?: string | null,
    @Arg('subject', () => String, { nullable: true, description: 'The whole subject.' })
    subject?: string | null,
    @Arg('since', () => DateTime, { nullable: true }) since?: Date | null,
    @Arg('until', () => DateTime, {
      nullable: true,
      description: 'The end of the range, exclusive.',
    })
    until?: Date | null,
  ): Promise<PageOf<EventSummary>> {
    const search = { type, subject, since, until };
    return searchEvents(context.read, account, search, { limit, cursor });
  }

  @Authorized('internal')
  @Query(() => EventTrailType, {
    description:
      'An event of any account, as long as it is kept, and what became of it at each endpoint.',
  })
  eventTrail(@Ctx() { read }: Context, @Arg('id', () => ID) id: string): Promise<EventTrail> {
    return readEventTrail(read, id);
  }

  @Authorized('webhooks:read')
  @Query(() => EventAtEndpointType, {
    description:
      'What became of an event of the last 30 days at an endpoint, and why the endpoint did not get it.',
  })
  eventAtEndpoint(
    @Ctx() { read }: Context,
    @AccountId() account: string,
    @Arg('event', () => ID) event: string,
    @Arg('endpoint', () => ID) endpoint: string,
  ): Promise<EventAtEndpoint> {
    return readEventAtEndpoint(read, account, event, endpoint);
  }

  @Authorized('orders:read')
  @FieldResolver(() => String, {
    description: 'The bytes that every attempt sends. Requires the permission to read orders.',
  })
  body(@Root() { account, id }: EventOfAccount, @Ctx() context: Context): Promise<string> {
    return getEventBody(context.read, account, id);
  }

  @FieldResolver(() => WebhookDeliveryPage, { description: 'Its deliveries, newest first.' })
  deliveries(
    @Root() { account, id }: EventOfAccount,
    @Ctx() context: Context,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
  ): Promise<PageOf<Delivery>> {
    return searchDeliveries(context.read, account, { event: id }, { limit, cursor });
  }
}

/** Names each member, because spreading an input takes several microseconds. */
function requestOf(input: PublishEventInput): PublishRequest {
  return {
    accountId: input.account,
    type: input.type,
    subject: input.subject,
    data: input.data,
    version: input.version ?? undefined,
    test: input.test ?? undefined,
    key: input.key ?? undefined,
  };
}

function isFailure(result: Published | Error): result is Error {
  return result instanceof Error && !(result instanceof DomainError);
}
