import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from '../type-graphql.js';
import { DomainError, type Issue } from '../../domain/errors.js';
import { sendTestEvent } from '../../domain/test-event/test-event.js';
import type { EventType } from '../../domain/event-type/event-type.entity.js';
import {
  listEventTypes,
  retireEventType,
  unlistEventType,
} from '../../domain/event-type/event-types.js';
import { checkCount, type PublishRequest } from '../../domain/event/prepare-event.js';
import type { Published } from '../../domain/event/store-events.js';
import { accountOf } from '../access.js';
import type { Context } from '../context.js';
import { toErrorExtensions } from '../errors.js';
import {
  EventTypePage,
  EventTypeType,
  PublishedEvent,
  PublishEventInput,
  PublishResult,
  SendTestEventInput,
} from './types.js';
import type { PageOf } from '../cursor-page.js';

/** Events and the catalogue of event types. */
@Resolver()
export class EventResolver {
  @Authorized('webhooks:read')
  @Query(() => EventTypePage)
  async eventTypes(@Ctx() { read }: Context): Promise<PageOf<EventType>> {
    return { data: await listEventTypes(read), page: { hasMore: false } };
  }

  @Authorized('internal')
  @Mutation(() => EventTypeType, {
    description: 'Closes the type to new subscriptions, until `putEventType` offers it again.',
  })
  retireEventType(
    @Ctx() { transact }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventType> {
    return transact((tx) => retireEventType(tx, id));
  }

  @Authorized('internal')
  @Mutation(() => EventTypeType, {
    description: 'Permanently removes the type from the catalogue.',
  })
  unlistEventType(
    @Ctx() { transact }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventType> {
    return transact((tx) => unlistEventType(tx, id));
  }

  @Authorized('internal')
  @Mutation(() => PublishedEvent)
  async publishEvent(
    @Ctx() { publish }: Context,
    @Arg('input', () => PublishEventInput) input: PublishEventInput,
  ): Promise<Published> {
    const [result = new Error('The publisher returned no result.')] = await publish([
      requestOf(input),
    ]);
    if (result instanceof Error) throw result;
    return result;
  }

  @Authorized('internal')
  @Mutation(() => [PublishResult], {
    description: `Publishes 1 to 1,000 events of any accounts. Returns one result for each, in order. With \`atomic\`, publishes all or none.`,
  })
  async publishEvents(
    @Ctx() { publish, publishAtomically, report }: Context,
    @Arg('input', () => [PublishEventInput]) input: PublishEventInput[],
    @Arg('atomic', () => Boolean, { nullable: true, defaultValue: false }) atomic: boolean | null,
  ): Promise<(Published | { readonly error: Issue<string> })[]> {
    checkCount(input);
    const requests = input.map(requestOf);
    const results = await (atomic ? publishAtomically(requests) : publish(requests));
    // A thousand events that find no room have as many errors, which say the same.
    const failures = results.filter(isFailure).map((each) => [each.message, each] as const);
    for (const failure of new Map(failures).values()) report(failure);
    return results.map((each) => (each instanceof Error ? { error: errorOf(each) } : each));
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
    const owner = await accountOf(context, input.account);
    const { endpoint, type, version, data } = input;
    const own = { version: version ?? undefined, data: data ?? undefined };
    const event = { endpointId: endpoint ?? undefined, type, ...own };
    const send = () => context.transact((tx) => sendTestEvent(tx, context.schemas(), owner, event));
    return context.rateLimited('test', send);
  }
}

// Each member by its name: spreading an input takes several microseconds.
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

/** The first cause of an error. An event that PostgreSQL could not store is `service_unavailable`. */
function errorOf(thrown: Error): Issue<string> {
  const { code, detail, errors } = toErrorExtensions(thrown);
  return errors[0] ?? { code, detail };
}
