import {
  Arg,
  Authorized,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';
import type { Delivery } from '../../domain/delivery/deliveries.js';
import { type EventTrail, readEventTrail } from '../../domain/delivery/event-trail.js';
import { searchDeliveries } from '../../domain/delivery/search.js';
import {
  type EventSummary,
  getEvent,
  getEventBody,
  searchEvents,
} from '../../domain/event/events.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import type { PageOf } from '../cursor-page.js';
import { WebhookDeliveryPage } from '../delivery/types.js';
import { DateTime } from '../scalars.js';
import { EventDetailType, EventPageType, EventTrailType } from './lookup-types.js';

/** An event and the account that it was looked up in. */
type OwnEvent = EventSummary & { readonly account: string };

/** Published events. Internal credentials must name `account`. */
@Resolver(() => EventDetailType)
export class EventLookupResolver {
  @Authorized('webhooks:read')
  @Query(() => EventDetailType, { description: 'An event of the last 30 days.' })
  async event(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OwnEvent> {
    return { ...(await getEvent(context.read, owner, id)), account: owner };
  }

  @Authorized('webhooks:read')
  @Query(() => EventPageType, {
    description:
      'Events of the last 30 days. Reads at most 10,000 for a page: go on while `hasMore`, also after an empty page.',
  })
  async events(
    @Ctx() context: Context,
    @AccountId() owner: string,
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
    return searchEvents(context.read, owner, search, { limit, cursor });
  }

  @Authorized('internal')
  @Query(() => EventTrailType, {
    description:
      'An event of any account, as long as it is kept, and what became of it at each endpoint.',
  })
  eventTrail(@Ctx() { read }: Context, @Arg('id', () => ID) id: string): Promise<EventTrail> {
    return readEventTrail(read, id);
  }

  @Authorized('orders:read')
  @FieldResolver(() => String, {
    description: 'The bytes that every attempt sends. Requires the permission to read orders.',
  })
  body(@Root() { account, id }: OwnEvent, @Ctx() context: Context): Promise<string> {
    return getEventBody(context.read, account, id);
  }

  @FieldResolver(() => WebhookDeliveryPage, { description: 'Its deliveries, newest first.' })
  deliveries(
    @Root() { account, id }: OwnEvent,
    @Ctx() context: Context,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
  ): Promise<PageOf<Delivery>> {
    return searchDeliveries(context.read, account, { event: id }, { limit, cursor });
  }
}
