import { Field, ID, Int, ObjectType } from '../type-graphql.js';
import type { Delivery } from '../../domain/delivery/deliveries.js';
import { deliveryStatuses } from '../../domain/delivery/attempt-result.js';
import { pageType } from '../cursor-page.js';
import { enumType } from '../enum-type.js';
import { DateTime } from '../scalars.js';

export const DeliveryStatus = enumType('DeliveryStatus', deliveryStatuses);
export type DeliveryStatus = Delivery['status'];

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
export const WebhookDeliveryPage = pageType('WebhookDeliveryPage', WebhookDeliveryType);
