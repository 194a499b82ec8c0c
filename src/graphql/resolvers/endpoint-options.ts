import {
  type EndpointOptions,
  setEndpointOptions,
} from '../../domain/endpoint/endpoint-options.js';
import type { EndpointView } from '../../domain/endpoint/endpoint.entity.js';
import { type TriedEvent, tryFilter } from '../../domain/endpoint/try-filter.js';
import { retrySchedules, type RetrySchedule, scheduleOf } from '../../domain/transaction/rules.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { loadersOf } from '../loaders.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';
import { WebhookEndpointType } from './endpoint.js';

/** When the attempts of a delivery come. */
@ObjectType('RetrySchedule')
class RetryScheduleType implements RetrySchedule {
  @Field(() => String)
  name!: string;

  @Field(() => [Float], { description: 'Delays before attempts 2, 3, …, without jitter.' })
  delaysSeconds!: readonly number[];
}

/** How an endpoint gets its events, beyond its URL and its event types. */
@ObjectType('EndpointOptions')
class EndpointOptionsType {
  @Field(() => RetryScheduleType, {
    description:
      'The schedule in force: `default` where the settings lack the one that was chosen.',
  })
  retrySchedule!: RetrySchedule;

  @Field(() => String, { nullable: true, description: 'Which events it gets; null: all.' })
  filter!: string | null;
}

/** An event of an endpoint's types, and whether a filter matches it. */
@ObjectType('TriedEvent')
class TriedEventType implements TriedEvent {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  type!: string;

  @Field(() => String)
  subject!: string;

  @Field(() => DateTime)
  occurredAt!: Date;

  @Field(() => Boolean)
  matches!: boolean;
}

@InputType('EndpointOptionsInput', {
  description: 'Absent options keep their values; null removes an option.',
})
class EndpointOptionsInput {
  @Field(() => String, { nullable: true, description: 'One of `retrySchedules`.' })
  retrySchedule?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sends it only events that match, such as `$.data.currency == "EUR"`.',
  })
  filter?: string | null;
}

/** The delivery options of endpoints. Internal credentials must name `account`. */
@Resolver(() => WebhookEndpointType)
export class EndpointOptionsResolver {
  @Authorized('webhooks:read')
  @Query(() => [RetryScheduleType], { description: 'The schedules that an endpoint may choose.' })
  retrySchedules(@Ctx() { read }: Context): readonly RetrySchedule[] {
    return retrySchedules(read.rules.retry);
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointType, {
    description: 'Changes how an endpoint gets its events, from the next delivery on.',
  })
  setEndpointOptions(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => EndpointOptionsInput) input: EndpointOptionsInput,
  ): Promise<EndpointView> {
    return context.transact((tx) => setEndpointOptions(tx, account, id, input));
  }

  @Authorized('webhooks:write')
  @Query(() => [TriedEventType], {
    description:
      'Which of the newest 100 events of the types of an endpoint a filter matches, newest first. Changes nothing.',
  })
  tryEndpointFilter(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
    @Arg('filter', () => String) filter: string,
  ): Promise<TriedEvent[]> {
    return context.rateLimited('test', () => tryFilter(context.read, account, id, filter));
  }

  @FieldResolver(() => EndpointOptionsType)
  async options(
    @Root() { id }: EndpointView,
    @Ctx() context: Context,
  ): Promise<EndpointOptionsType> {
    return shown(context, await loadersOf(context).options.load(id));
  }
}

function shown({ read }: Context, options: EndpointOptions | null): EndpointOptionsType {
  return {
    retrySchedule: scheduleOf(read.rules.retry, options?.retrySchedule ?? null),
    filter: options?.filter ?? null,
  };
}
