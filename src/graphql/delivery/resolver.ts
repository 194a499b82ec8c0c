import {
  Arg,
  Authorized,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';
import { mayReadSales } from '../../domain/account/permission.js';
import { type Delivery, getDelivery } from '../../domain/delivery/deliveries.js';
import { findDeliveries } from '../../domain/delivery/search.js';
import { startReplay, endedReplayError } from '../../domain/delivery/replay.js';
import type { EndpointView } from '../../domain/endpoint/endpoint.entity.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import { DeliveryEvidenceType, type EvidenceFields, evidenceFields } from './evidence-types.js';
import { DeliveryStatus, WebhookDeliveryPage, WebhookDeliveryType } from './types.js';
import { WebhookEndpointType } from '../endpoint/types.js';
import { loadersOf } from '../loaders.js';
import type { PageOf } from '../cursor-page.js';
import { DateTime } from '../scalars.js';

/** Deliveries. Internal credentials must name `account`. */
@Resolver(() => WebhookDeliveryType)
export class DeliveryResolver {
  @Authorized('webhooks:read')
  @Query(() => WebhookDeliveryPage, {
    description:
      'Deliveries of the last 30 days. Reads at most 10,000 for a page: go on while `hasMore`, also after an empty page.',
  })
  async webhookDeliveries(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('status', () => DeliveryStatus, { nullable: true }) status?: DeliveryStatus | null,
    @Arg('endpoint', () => ID, { nullable: true }) endpoint?: string | null,
    @Arg('eventType', () => String, { nullable: true }) eventType?: string | null,
    @Arg('event', () => ID, { nullable: true }) event?: string | null,
    @Arg('since', () => DateTime, {
      nullable: true,
      description: 'Only attempts that began at or after this time.',
    })
    since?: Date | null,
    @Arg('until', () => DateTime, {
      nullable: true,
      description: 'The end of the range, exclusive.',
    })
    until?: Date | null,
    @Arg('test', () => Boolean, { nullable: true }) test?: boolean | null,
    @Arg('replayed', () => Boolean, { nullable: true, description: 'Whether it is a replay.' })
    replayed?: boolean | null,
  ): Promise<PageOf<Delivery>> {
    const search = { endpoint, eventType, event, status, since, until, test, replayed };
    return findDeliveries(context.read, owner, search, { limit, cursor });
  }

  @Authorized('webhooks:read')
  @Query(() => WebhookDeliveryType)
  webhookDelivery(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<Delivery> {
    return getDelivery(context.read, owner, id);
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookDeliveryType, {
    description:
      'Sends the event again. Returns the record of the first attempt when that has ended.',
  })
  async replayDelivery(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<Delivery> {
    const begin = () => context.transact((tx) => startReplay(tx, owner, id));
    const { pendingDeliveryId } = await context.rateLimited('replay', begin);
    const end = await context.waitForReplay(pendingDeliveryId);
    if (end.kind === 'recorded') return end.delivery;
    throw await endedReplayError(context.read, owner, id);
  }

  @FieldResolver(() => WebhookEndpointType, {
    nullable: true,
    description: 'The endpoint it was sent to. Null when the endpoint was deleted.',
  })
  endpoint(@Root() delivery: Delivery, @Ctx() context: Context): Promise<EndpointView | null> {
    return loadersOf(context).endpoints.load(delivery.endpointId);
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'When the next attempt is due. Null when this is not the latest attempt, or none follows.',
  })
  nextAttemptAt(@Root() delivery: Delivery, @Ctx() context: Context): Promise<Date | null> {
    return loadersOf(context).nextAttempts.load(delivery);
  }

  @FieldResolver(() => DeliveryEvidenceType, {
    nullable: true,
    description:
      'Kept of an attempt that failed, of the one that succeeded after it, and of a success whose body the receiver left open. Null for others.',
  })
  async evidence(
    @Root() delivery: Delivery,
    @Ctx() context: Context,
  ): Promise<EvidenceFields | null> {
    const evidence = await loadersOf(context).evidence.load(delivery);
    return evidence && evidenceFields(evidence, mayReadSales(context.viewer));
  }
}
