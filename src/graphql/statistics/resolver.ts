import { Arg, Authorized, Ctx, ID, Query, Resolver } from '../type-graphql.js';
import { readAccountLag, type Ages } from '../../domain/delivery/backlog.js';
import { type EndpointHealth, getEndpointHealth } from '../../domain/delivery/health.js';
import { readStatistics, type StatisticsOfSpan } from '../../domain/delivery/statistics.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import { DateTime } from '../scalars.js';
import {
  DeliveryLagType,
  EndpointHealthType,
  StatisticsSpan,
  WebhookStatisticsType,
} from './types.js';

/** The health of an endpoint, with whose it is. */
export interface ShownHealth extends EndpointHealth {
  readonly id: string;
  readonly account: string;
}

/** How deliveries go. Internal credentials must name `account`. */
@Resolver()
export class StatisticsResolver {
  @Authorized('webhooks:read')
  @Query(() => EndpointHealthType)
  async endpointHealth(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<ShownHealth> {
    return { id, account: owner, ...(await getEndpointHealth(context.read, owner, id)) };
  }

  @Authorized('webhooks:read')
  @Query(() => DeliveryLagType)
  deliveryLag(@Ctx() context: Context, @AccountId() owner: string): Promise<Ages> {
    return readAccountLag(context.read, owner);
  }

  @Authorized('webhooks:read')
  @Query(() => [WebhookStatisticsType], {
    description:
      'Every hour or UTC day of a range, oldest first: at most 31 days by the hour, 400 by the day. Test deliveries do not count. Attempts of the last minute may be missing.',
  })
  webhookStatistics(
    @Ctx() context: Context,
    @AccountId() owner: string,
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
    return readStatistics(context.read, owner, { endpoint, since, until, by });
  }
}
