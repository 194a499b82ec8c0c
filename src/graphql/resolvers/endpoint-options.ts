import {
  type EndpointOptions,
  setEndpointOptions,
} from '../../domain/endpoint/endpoint-options.js';
import {
  type EndpointView,
  orderings,
  type Ordering,
} from '../../domain/endpoint/endpoint.entity.js';
import { retrySchedules, type RetrySchedule, scheduleOf } from '../../domain/transaction/rules.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { loadersOf } from '../loaders.js';
import {
  Arg,
  Ctx,
  enumType,
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

const EndpointOrdering = enumType('EndpointOrdering', orderings, {
  description: 'What an endpoint gets in order.',
});
type EndpointOrdering = Ordering;

/** How an endpoint gets its events, beyond its URL and its event types. */
@ObjectType('EndpointOptions')
class EndpointOptionsType {
  @Field(() => RetryScheduleType, {
    description:
      'The schedule in force: `default` where the settings lack the one that was chosen.',
  })
  retrySchedule!: RetrySchedule;

  @Field(() => EndpointOrdering, {
    nullable: true,
    description: '`subject`: events of one subject one at a time. Null: no order.',
  })
  ordering!: EndpointOrdering | null;
}

@InputType('EndpointOptionsInput', {
  description: 'Absent options keep their values; null removes an option.',
})
class EndpointOptionsInput {
  @Field(() => String, { nullable: true, description: 'One of `retrySchedules`.' })
  retrySchedule?: string | null;

  @Field(() => EndpointOrdering, {
    nullable: true,
    description:
      'Orders events that are published from now on. Null also sends what waits for its turn.',
  })
  ordering?: EndpointOrdering | null;
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
    ordering: options?.ordering ?? null,
  };
}
