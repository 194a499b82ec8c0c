import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from '../type-graphql.js';
import { sendTestEvent } from '../../domain/test-event/test-event.js';
import type { EventType } from '../../domain/event/event-type.entity.js';
import {
  listEventTypes,
  retireEventType,
  unlistEventType,
} from '../../domain/event/event-types.js';
import { type Published, publishEvent } from '../../domain/event/publish.js';
import { accountOf, type RequiredPermission } from '../access.js';
import type { Context } from '../context.js';
import {
  EventTypePage,
  EventTypeType,
  PublishedEvent,
  PublishEventInput,
  SendTestEventInput,
} from './types.js';
import type { PageOf } from '../cursor-page.js';

/** Events and the catalogue of event types. */
@Resolver()
export class EventResolver {
  @Authorized<RequiredPermission>('webhooks:read')
  @Query(() => EventTypePage)
  async eventTypes(@Ctx() { read }: Context): Promise<PageOf<EventType>> {
    return { data: await listEventTypes(read), page: { hasMore: false } };
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => EventTypeType, {
    description: 'Permanently closes the type to new subscriptions.',
  })
  retireEventType(
    @Ctx() { transact }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventType> {
    return transact((tx) => retireEventType(tx, id));
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => EventTypeType, {
    description: 'Permanently removes the type from the catalogue.',
  })
  unlistEventType(
    @Ctx() { transact }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventType> {
    return transact((tx) => unlistEventType(tx, id));
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => PublishedEvent)
  async publishEvent(
    @Ctx() context: Context,
    @Arg('input', () => PublishEventInput) { account, test, key, ...content }: PublishEventInput,
  ): Promise<Published> {
    const owner = await accountOf(context, account);
    const input = { ...content, test: test ?? undefined, key: key ?? undefined };
    return context.transact((tx) => publishEvent(tx, owner, input));
  }

  @Authorized<RequiredPermission>('webhooks:write')
  @Mutation(() => PublishedEvent, { description: 'Sends a made-up event to one endpoint, once.' })
  async sendTestEvent(
    @Ctx() context: Context,
    @Arg('input', () => SendTestEventInput) { endpoint, type, account }: SendTestEventInput,
  ): Promise<Published> {
    const owner = await accountOf(context, account);
    return context.transact((tx) => sendTestEvent(tx, owner, endpoint, type));
  }
}
