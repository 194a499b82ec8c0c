import type { EndpointSummary } from '../../domain/delivery/deliveries.js';
import { type EndpointBacklog, endpointStates } from '../../domain/delivery/health.js';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointWithSecret,
  replaceEventSubscriptions,
  setEndpointRateLimit,
  updateEndpoint,
} from '../../domain/endpoint/change-endpoint.js';
import type { EndpointView } from '../../domain/endpoint/endpoint.entity.js';
import { getEndpoint, listEndpoints } from '../../domain/endpoint/endpoints.js';
import { rotateSigningSecret } from '../../domain/endpoint/rotate-secrets.js';
import { disabledReasons } from '../../domain/transaction/rules.js';
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
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';

/** The values of the filter of the list. */
const EndpointStatus = enumType('EndpointStatus', ['active', 'inactive']);
type EndpointStatus = keyof typeof EndpointStatus;

/** Why the service disabled an endpoint. */
export const DisabledReason = enumType('DisabledReason', disabledReasons);

export const EndpointState = enumType('EndpointState', endpointStates, {
  description:
    '`disabled` by the service, `inactive` by its account; `failing` when the latest attempts failed.',
});

/** The state of the deliveries to an endpoint. */
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
class EndpointBacklogType implements EndpointBacklog {
  @Field(() => Int, {
    description: 'Open pending deliveries, dead letters left out; at most 1,000.',
  })
  pendingCount!: number;

  @Field(() => Boolean, { description: 'False when there are more than were counted.' })
  pendingCountIsComplete!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the oldest open pending delivery was created.',
  })
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
    description: 'Maximum requests per second, evenly spaced. Null: no limit.',
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
class WebhookEndpointWithSecretType extends WebhookEndpointType {
  @Field(() => String)
  signingSecret!: string;
}

/** Endpoints of an account, newest first. */
const WebhookEndpointPage = cursorPageType('WebhookEndpointPage', WebhookEndpointType);

/** The domain validates its texts. */
@InputType('CreateWebhookEndpointInput')
class CreateWebhookEndpointInput {
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
class UpdateWebhookEndpointInput {
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

/** Webhook endpoints. Internal credentials must name `account`. */
@Resolver(() => WebhookEndpointType)
export class EndpointResolver {
  @Authorized('webhooks:read')
  @Query(() => WebhookEndpointPage)
  webhookEndpoints(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('status', () => EndpointStatus, { nullable: true }) status?: EndpointStatus | null,
  ): Promise<PageOf<EndpointView>> {
    return listEndpoints(context.read, account, { limit, cursor, status });
  }

  @Authorized('webhooks:read')
  @Query(() => WebhookEndpointType)
  webhookEndpoint(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<EndpointView> {
    return getEndpoint(context.read, account, id);
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointWithSecretType)
  async createWebhookEndpoint(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('input', () => CreateWebhookEndpointInput) input: CreateWebhookEndpointInput,
  ): Promise<WithSecret> {
    return withSecret(await context.transact((tx) => createEndpoint(tx, account, input)));
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointType)
  updateWebhookEndpoint(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateWebhookEndpointInput) input: UpdateWebhookEndpointInput,
    @Arg('reason', () => String, {
      nullable: true,
      description:
        'Why it is disabled, for the audit log: one line of at most 200 characters, without e-mail addresses.',
    })
    reason?: string | null,
  ): Promise<EndpointView> {
    const options = { ...rulesOf(context), reason };
    return context.transact((tx) => updateEndpoint(tx, account, id, input, options));
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointType)
  replaceEventSubscriptions(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
    @Arg('eventTypes', () => [String]) eventTypes: string[],
  ): Promise<EndpointView> {
    return context.transact((tx) => replaceEventSubscriptions(tx, account, id, eventTypes));
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointType, {
    description:
      'Sets the rate limit of an endpoint, or removes it. It applies to deliveries claimed from now on.',
  })
  setEndpointRateLimit(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
    @Arg('maxPerSecond', () => Int, { nullable: true, description: '1 to 1,000; null: no limit.' })
    maxPerSecond?: number | null,
  ): Promise<EndpointView> {
    const rate = maxPerSecond ?? null;
    return context.transact((tx) => setEndpointRateLimit(tx, account, id, rate));
  }

  @Authorized('webhooks:write')
  @Mutation(() => Boolean)
  async deleteWebhookEndpoint(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<boolean> {
    await context.transact((tx) => deleteEndpoint(tx, account, id));
    return true;
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointWithSecretType)
  async rotateSigningSecret(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<WithSecret> {
    return withSecret(await context.transact((tx) => rotateSigningSecret(tx, account, id)));
  }

  @FieldResolver(() => EndpointSummaryType, {
    nullable: true,
    description: 'State of its deliveries, for lists. `endpointHealth` also has counts.',
  })
  summary(
    @Root() endpoint: EndpointView,
    @Ctx() context: Context,
  ): Promise<EndpointSummary | null> {
    return loadersOf(context).summaries.load(endpoint.id);
  }

  @Authorized('internal')
  @FieldResolver(() => EndpointBacklogType, {
    nullable: true,
    description: 'Its pending deliveries, for lists of operators.',
  })
  backlog(
    @Root() endpoint: EndpointView,
    @Ctx() context: Context,
  ): Promise<EndpointBacklog | null> {
    return loadersOf(context).backlogs.load(endpoint.id);
  }
}

/** The dashboard may set the notification address only when it creates an endpoint. */
function rulesOf({ transport, viewer }: Context): { mayChangeEmail: boolean } {
  return { mayChangeEmail: transport === 'rest' || viewer.kind !== 'dashboard' };
}

/** An endpoint with its secret, for the only response that shows it. */
type WithSecret = EndpointView & Pick<EndpointWithSecret, 'signingSecret'>;

function withSecret({ endpoint, signingSecret }: EndpointWithSecret): WithSecret {
  return Object.assign(endpoint, { signingSecret });
}
