import { type Ages, readAccountLag } from '../../domain/delivery/backlog.js';
import { type EndpointHealth, getEndpointHealth } from '../../domain/delivery/health.js';
import {
  type EndpointFailures,
  type Latency,
  readEndpointFailures,
  readStatistics,
  type StatisticsOfSpan,
} from '../../domain/delivery/statistics.js';
import type { EndpointView } from '../../domain/endpoint/endpoint.entity.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { loadersOf } from '../loaders.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  enumType,
  Field,
  FieldResolver,
  Float,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';
import { DisabledReason, EndpointSummaryType, WebhookEndpointType } from './endpoint.js';

/** The time spans that statistics are counted by. */
const StatisticsSpan = enumType('StatisticsSpan', ['hour', 'day']);
type StatisticsSpan = keyof typeof StatisticsSpan;

/** The health of an endpoint, with counts. */
@ObjectType('EndpointHealth')
export class EndpointHealthType extends EndpointSummaryType implements EndpointHealth {
  @Field(() => ID)
  id!: string;

  @Field(() => DisabledReason, { nullable: true })
  disabledReason!: EndpointHealth['disabledReason'];

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the current run of failed attempts began.',
  })
  failingSince!: Date | null;

  @Field(() => Int, { description: 'Failed attempts in that run.' })
  failureCount!: number;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'The earliest time at which a failed attempt disables it. Null unless it is failing.',
  })
  disablesAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Further failed attempts until the service disables it. Null unless it is failing.',
  })
  failuresUntilDisabled!: number | null;

  @Field(() => Int, { description: 'Open pending deliveries, counted up to 10,000.' })
  pendingCount!: number;

  @Field(() => Boolean, { description: 'False when there are more than 10,000.' })
  pendingCountIsComplete!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the oldest open pending delivery was created.',
  })
  oldestPendingAt!: Date | null;
}

/** Durations of attempts in milliseconds. */
@ObjectType('Latency', {
  description: 'Durations of attempts in milliseconds, within 5 %. A timeout counts in full.',
})
class LatencyType implements Latency {
  @Field(() => Int)
  p50Ms!: number;

  @Field(() => Int)
  p95Ms!: number;

  @Field(() => Int)
  p99Ms!: number;
}

/** The results of attempts that began within one hour or one UTC day. */
@ObjectType('WebhookStatistics')
class WebhookStatisticsType implements StatisticsOfSpan {
  @Field(() => DateTime)
  startsAt!: Date;

  @Field(() => Int, { description: 'The sum of `success`, `failed` and `abandoned`.' })
  attempts!: number;

  @Field(() => Int)
  success!: number;

  @Field(() => Int)
  failed!: number;

  @Field(() => Int)
  abandoned!: number;

  @Field(() => Int, { description: 'Attempts after the first of their delivery.' })
  retries!: number;

  @Field(() => LatencyType, { nullable: true, description: 'Null when nothing was sent.' })
  latency!: LatencyType | null;
}

/** How long deliveries of an account have been due. */
@ObjectType('DeliveryLag', {
  description: 'How late the deliveries are that no worker has claimed.',
})
class DeliveryLagType implements Ages {
  @Field(() => Float, {
    description:
      'Seconds by which the oldest deliverable delivery is overdue. 0 if there is none. Leaves out recoveries, isolated deliveries, and endpoints that fail, are inactive or have a rate limit.',
  })
  oldestDueSeconds!: number;

  @Field(() => Float, {
    description: 'Seconds by which the oldest delivery is overdue. 0 if there is none.',
  })
  oldestBacklogSeconds!: number;
}

/** The attempts at one endpoint that did not succeed. */
@ObjectType('EndpointFailures')
class EndpointFailuresType implements Omit<EndpointFailures, 'endpointId'> {
  @Field(() => Int)
  failed!: number;

  @Field(() => Int)
  abandoned!: number;
}

/** The health of an endpoint, with its id and account. */
export interface HealthOfEndpoint extends EndpointHealth {
  readonly id: string;
  readonly account: string;
}

/** Delivery health and statistics. Internal credentials must name `account`. */
@Resolver(() => EndpointFailuresType)
export class StatisticsResolver {
  @Authorized('webhooks:read')
  @Query(() => EndpointHealthType)
  async endpointHealth(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<HealthOfEndpoint> {
    return { id, account, ...(await getEndpointHealth(context.read, account, id)) };
  }

  @Authorized('webhooks:read')
  @Query(() => DeliveryLagType)
  deliveryLag(@Ctx() context: Context, @AccountId() account: string): Promise<Ages> {
    return readAccountLag(context.read, account);
  }

  @Authorized('webhooks:read')
  @Query(() => [WebhookStatisticsType], {
    description:
      'Every hour or UTC day of a range, oldest first: at most 31 days by the hour, 400 by the day. Test deliveries do not count. Attempts of the last minute may be missing.',
  })
  webhookStatistics(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('since', () => DateTime, {
      description: 'Start of the range, rounded down to the hour or day.',
    })
    since: Date,
    @Arg('by', () => StatisticsSpan) by: StatisticsSpan,
    @Arg('until', () => DateTime, { nullable: true, description: 'Defaults to now.' })
    until?: Date | null,
    @Arg('endpoint', () => ID, { nullable: true, description: 'Defaults to the whole account.' })
    endpoint?: string | null,
  ): Promise<StatisticsOfSpan[]> {
    return readStatistics(context.read, account, { endpoint, since, until, by });
  }

  @Authorized('webhooks:read')
  @Query(() => [EndpointFailuresType], {
    description:
      'The endpoints with the most failed and abandoned attempts, most first: at most 10, of the newest 10,000 endpoints. Test deliveries do not count. Attempts of the last minute may be missing.',
  })
  endpointFailures(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('since', () => DateTime, {
      description: 'Start of the range, rounded down to the hour. At most 31 days before `until`.',
    })
    since: Date,
    @Arg('until', () => DateTime, { nullable: true, description: 'Defaults to now.' })
    until?: Date | null,
  ): Promise<readonly EndpointFailures[]> {
    return readEndpointFailures(context.read, account, { since, until });
  }

  @FieldResolver(() => WebhookEndpointType, {
    nullable: true,
    description: 'Null when the endpoint was deleted meanwhile.',
  })
  endpoint(
    @Root() failures: EndpointFailures,
    @Ctx() context: Context,
  ): Promise<EndpointView | null> {
    return loadersOf(context).endpoints.load(failures.endpointId);
  }
}
