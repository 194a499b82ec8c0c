import { mayReadSales } from '../../domain/account/permission.js';
import { deliveryStatuses } from '../../domain/delivery/attempt-result.js';
import { type Delivery, getDelivery } from '../../domain/delivery/deliveries.js';
import {
  bodyEncodings,
  type ShownBody,
  type ShownEvidence,
} from '../../domain/delivery/evidence-of-deliveries.js';
import type { AttemptTimings } from '../../domain/delivery/outcome.js';
import { endedReplayError, startReplay } from '../../domain/delivery/replay.js';
import { findDeliveries } from '../../domain/delivery/search.js';
import type { EndpointView } from '../../domain/endpoint/endpoint.entity.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { type PageOf, cursorPageType } from '../lists.js';
import { loadersOf } from '../loaders.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  enumType,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';
import { WebhookEndpointType } from './endpoint.js';

const DeliveryStatus = enumType('DeliveryStatus', deliveryStatuses);
type DeliveryStatus = Delivery['status'];

/** The record of one attempt. Resolvers look up `endpoint`, `nextAttemptAt` and `evidence`. */
@ObjectType('WebhookDelivery')
export class WebhookDeliveryType implements Omit<Delivery, 'pendingDeliveryId' | 'endpointId'> {
  @Field(() => ID)
  id!: string;

  @Field(() => Int)
  attempt!: number;

  @Field(() => Int)
  maxAttempts!: number;

  @Field(() => DeliveryStatus)
  status!: DeliveryStatus;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true })
  deliveredAt!: Date | null;

  @Field(() => Int, { nullable: true })
  durationMs!: number | null;

  @Field(() => Int, { nullable: true })
  responseStatus!: number | null;

  @Field(() => ID)
  eventId!: string;

  @Field(() => String)
  eventType!: string;

  @Field(() => String)
  eventVersion!: string;

  @Field(() => ID, { nullable: true })
  replayedFrom!: string | null;

  @Field(() => Boolean)
  test!: boolean;

  @Field(() => String, { nullable: true, description: 'Short code of the failure.' })
  failureReason!: string | null;
}

/** Deliveries of an account, newest first. */
export const WebhookDeliveryPage = cursorPageType('WebhookDeliveryPage', WebhookDeliveryType);

const ResponseBodyEncoding = enumType('ResponseBodyEncoding', bodyEncodings);
type ResponseBodyEncoding = ShownBody['encoding'];

/** A header of a request or a response. */
interface NamedHeader {
  readonly name: string;
  readonly value: string;
}

@ObjectType('HttpHeader')
class HttpHeaderType implements NamedHeader {
  @Field(() => String, { description: 'In lower case.' })
  name!: string;

  @Field(() => String)
  value!: string;
}

/** How long each phase of an attempt took. */
@ObjectType('AttemptTimings', {
  description:
    'The length of each phase in milliseconds. Null for a phase that did not end. A kept-alive connection has neither look-up, connect nor TLS.',
})
class AttemptTimingsType implements AttemptTimings {
  @Field(() => Int, { nullable: true, description: 'Looking up the host name.' })
  lookupMs!: number | null;

  @Field(() => Int, { nullable: true })
  connectMs!: number | null;

  @Field(() => Int, { nullable: true })
  tlsMs!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'From the request to the first byte of the response.',
  })
  firstByteMs!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'From the start of the attempt to its end, with the body.',
  })
  totalMs!: number | null;
}

/** The first bytes of the body of a response. */
@ObjectType('ResponseBody')
class ResponseBodyType implements ShownBody {
  @Field(() => ResponseBodyEncoding, {
    description: '`hex` for a body that is compressed, or not text of its charset.',
  })
  encoding!: ResponseBodyEncoding;

  @Field(() => String, { description: 'The first 4 KiB.' })
  content!: string;

  @Field(() => Boolean, { description: 'Whether the receiver sent more.' })
  truncated!: boolean;
}

/** The evidence of an attempt, with headers as objects. */
interface EvidenceFields extends Omit<ShownEvidence, 'requestHeaders' | 'responseHeaders'> {
  readonly requestHeaders: readonly NamedHeader[];
  readonly responseHeaders: readonly NamedHeader[] | null;
}

/** What is kept of an attempt in addition to its record. */
@ObjectType('DeliveryEvidence')
class DeliveryEvidenceType implements EvidenceFields {
  @Field(() => String, {
    description: 'The URL at the time. Values of parameters such as `token` are `***`.',
  })
  url!: string;

  @Field(() => [HttpHeaderType], {
    description: 'The request headers, without the signatures and static headers.',
  })
  requestHeaders!: readonly NamedHeader[];

  @Field(() => [HttpHeaderType], {
    nullable: true,
    description:
      'The headers that show who responded and how, at most 4 KiB. Null without a response, or when responses are not kept.',
  })
  responseHeaders!: readonly NamedHeader[] | null;

  @Field(() => ResponseBodyType, {
    nullable: true,
    description:
      'Null without a response, when responses are not kept, and without the permission to read orders: receivers may repeat the event.',
  })
  responseBody!: ShownBody | null;

  @Field(() => AttemptTimingsType)
  timings!: AttemptTimings;

  @Field(() => String, {
    nullable: true,
    description: 'The IP address of the last connection attempt.',
  })
  address!: string | null;

  @Field(() => String, { nullable: true, description: 'Such as `TLSv1.3`.' })
  tlsVersion!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the attempt failed, in words. Null for a success.',
  })
  failure!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What was wrong with the response of a success, in words: the receiver left the body open, for example. Null if it was complete, and for a failure.',
  })
  warning!: string | null;
}

/**
 * Converts each header to an object.
 * @param sales whether the caller may read what was sold; the body of a response may repeat it
 */
function evidenceFields(evidence: ShownEvidence, sales: boolean): EvidenceFields {
  const headers = (pairs: ShownEvidence['requestHeaders']) =>
    pairs.map(([name, value]) => ({ name, value }));
  const { requestHeaders, responseHeaders, responseBody } = evidence;
  return {
    ...evidence,
    requestHeaders: headers(requestHeaders),
    responseHeaders: responseHeaders && headers(responseHeaders),
    responseBody: sales ? responseBody : null,
  };
}

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
    @AccountId() account: string,
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
    return findDeliveries(context.read, account, search, { limit, cursor });
  }

  @Authorized('webhooks:read')
  @Query(() => WebhookDeliveryType)
  webhookDelivery(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<Delivery> {
    return getDelivery(context.read, account, id);
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookDeliveryType, {
    description:
      'Sends the event again. Returns the record of the first attempt once it has ended.',
  })
  async replayDelivery(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<Delivery> {
    const begin = () => context.transact((tx) => startReplay(tx, account, id));
    const { pendingDeliveryId } = await context.rateLimited('replay', begin);
    const end = await context.waitForReplay(pendingDeliveryId);
    if (end.kind === 'recorded') return end.delivery;
    throw await endedReplayError(context.read, account, id);
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
      'Kept for an attempt that failed, for the one that succeeded after it, and for a success whose body the receiver left open. Null for others.',
  })
  async evidence(
    @Root() delivery: Delivery,
    @Ctx() context: Context,
  ): Promise<EvidenceFields | null> {
    const evidence = await loadersOf(context).evidence.load(delivery);
    return evidence && evidenceFields(evidence, mayReadSales(context.viewer));
  }
}
