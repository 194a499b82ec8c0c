import { Arg, Authorized, Ctx, FieldResolver, Query, Resolver, Root } from '../type-graphql.js';
import { type EndpointFailures, readEndpointFailures } from '../../domain/delivery/statistics.js';
import type { EndpointView } from '../../domain/endpoint/endpoint.entity.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import { WebhookEndpointType } from '../endpoint/types.js';
import { loadersOf } from '../loaders.js';
import { DateTime } from '../scalars.js';
import { EndpointFailuresType } from './types.js';

/** Which endpoints fail most. Internal credentials must name `account`. */
@Resolver(() => EndpointFailuresType)
export class FailuresResolver {
  @Authorized('webhooks:read')
  @Query(() => [EndpointFailuresType], {
    description:
      'The endpoints with the most failed and abandoned attempts, most first: at most 10, of the newest 10,000 endpoints. Test deliveries do not count. Attempts of the last minute may be missing.',
  })
  endpointFailures(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('since', () => DateTime, {
      description: 'Start of the range, rounded down to the hour. At most 31 days before `until`.',
    })
    since: Date,
    @Arg('until', () => DateTime, { nullable: true, description: 'Defaults to now.' })
    until?: Date | null,
  ): Promise<readonly EndpointFailures[]> {
    return readEndpointFailures(context.read, owner, { since, until });
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
