import { Field, ID, InputType, Int, ObjectType } from '../type-graphql.js';
import { disabledReasons } from '../../domain/rules.js';
import { type EndpointBacklog, endpointStates } from '../../domain/delivery/health.js';
import type { EndpointSummary } from '../../domain/delivery/deliveries.js';
import type { EndpointView } from '../../domain/endpoint/endpoint.entity.js';
import { pageType } from '../cursor-page.js';
import { enumType } from '../enum-type.js';
import { DateTime } from '../scalars.js';

/** The values of the filter. */
export const EndpointStatus = enumType('EndpointStatus', ['active', 'inactive']);
export type EndpointStatus = keyof typeof EndpointStatus;

/** Why the service disabled an endpoint. */
export const DisabledReason = enumType('DisabledReason', disabledReasons);

export const EndpointState = enumType('EndpointState', endpointStates, {
  description:
    '`disabled` by the service, `inactive` by its account; `failing` when the latest attempts failed.',
});

/** How the deliveries to an endpoint go. */
@ObjectType('EndpointSummary')
export class EndpointSummaryType implements EndpointSummary {
  @Field(() => EndpointState)
  state!: EndpointSummary['state'];

  @Field(() => DateTime, {
    nullable: true,
    description: 'When its latest success of the last 30 days began.',
  })
  lastSuccessAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When its latest failure of the last 30 days began.',
  })
  lastFailureAt!: Date | null;
}

/** What waits for an endpoint. */
@ObjectType('EndpointBacklog')
export class EndpointBacklogType implements EndpointBacklog {
  @Field(() => Int, {
    description: 'Open pending deliveries, dead letters left out; at most 1,000.',
  })
  pendingCount!: number;

  @Field(() => Boolean, { description: 'False when there are more than were counted.' })
  pendingCountIsComplete!: boolean;

  @Field(() => DateTime, { nullable: true, description: 'When the oldest of them was made.' })
  oldestPendingAt!: Date | null;
}

/** A URL that receives the events of the types it subscribes to. */
@ObjectType('WebhookEndpoint')
export class WebhookEndpointType implements EndpointView {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  url!: string;

  @Field(() => Boolean)
  active!: boolean;

  @Field(() => String, { nullable: true })
  description!: string | null;

  @Field(() => String)
  notificationEmail!: string;

  @Field(() => [String])
  eventTypes!: string[];

  @Field(() => Int, {
    nullable: true,
    description: 'Requests a second that it gets at most, evenly spaced. Null: no limit.',
  })
  maxPerSecond!: number | null;

  @Field(() => DisabledReason, { nullable: true })
  disabledReason!: EndpointView['disabledReason'];

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  updatedAt!: Date;
}

/** An endpoint with its signing secret, shown only after creation and after rotation. */
@ObjectType('WebhookEndpointWithSecret')
export class WebhookEndpointWithSecretType extends WebhookEndpointType {
  @Field(() => String)
  signingSecret!: string;
}

/** Endpoints of an account, newest first. */
export const WebhookEndpointPage = pageType('WebhookEndpointPage', WebhookEndpointType);

/** The domain validates all texts. */
@InputType('CreateWebhookEndpointInput')
export class CreateWebhookEndpointInput {
  @Field(() => String)
  url!: string;

  @Field(() => [String])
  eventTypes!: string[];

  @Field(() => String)
  notificationEmail!: string;

  @Field(() => Boolean, { nullable: true, description: 'Defaults to true.' })
  active?: boolean | null;

  @Field(() => String, { nullable: true })
  description?: string | null;
}

@InputType('UpdateWebhookEndpointInput', {
  description: 'Absent fields keep their values. Only `description` may be null.',
})
export class UpdateWebhookEndpointInput {
  @Field(() => String, { nullable: true })
  url?: string | null;

  @Field(() => [String], { nullable: true })
  eventTypes?: string[] | null;

  @Field(() => String, { nullable: true })
  notificationEmail?: string | null;

  @Field(() => Boolean, { nullable: true })
  active?: boolean | null;

  @Field(() => String, { nullable: true })
  description?: string | null;
}
