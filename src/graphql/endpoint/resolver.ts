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
import type { EndpointBacklog } from '../../domain/delivery/health.js';
import type { EndpointSummary } from '../../domain/delivery/deliveries.js';
import {
  deleteEndpoint,
  type EndpointWithSecret,
  replaceEventSubscriptions,
  rotateSigningSecret,
  updateEndpoint,
  createEndpoint,
  setEndpointRateLimit,
} from '../../domain/endpoint/change-endpoint.js';
import type { EndpointView } from '../../domain/endpoint/endpoint.entity.js';
import { getEndpoint, listEndpoints } from '../../domain/endpoint/endpoints.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import {
  CreateWebhookEndpointInput,
  EndpointBacklogType,
  EndpointSummaryType,
  EndpointStatus,
  UpdateWebhookEndpointInput,
  WebhookEndpointPage,
  WebhookEndpointType,
  WebhookEndpointWithSecretType,
} from './types.js';
import type { PageOf } from '../cursor-page.js';
import { loadersOf } from '../loaders.js';

/** Webhook endpoints. Internal credentials must name `account`. */
@Resolver(() => WebhookEndpointType)
export class EndpointResolver {
  @Authorized('webhooks:read')
  @Query(() => WebhookEndpointPage)
  webhookEndpoints(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('status', () => EndpointStatus, { nullable: true }) status?: EndpointStatus | null,
  ): Promise<PageOf<EndpointView>> {
    return listEndpoints(context.read, owner, { limit, cursor, status });
  }

  @Authorized('webhooks:read')
  @Query(() => WebhookEndpointType)
  webhookEndpoint(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<EndpointView> {
    return getEndpoint(context.read, owner, id);
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointWithSecretType)
  async createWebhookEndpoint(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('input', () => CreateWebhookEndpointInput) input: CreateWebhookEndpointInput,
  ): Promise<WithSecret> {
    return withSecret(await context.transact((tx) => createEndpoint(tx, owner, input)));
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointType)
  updateWebhookEndpoint(
    @Ctx() context: Context,
    @AccountId() owner: string,
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
    return context.transact((tx) => updateEndpoint(tx, owner, id, input, options));
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointType)
  replaceEventSubscriptions(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
    @Arg('eventTypes', () => [String]) eventTypes: string[],
  ): Promise<EndpointView> {
    return context.transact((tx) => replaceEventSubscriptions(tx, owner, id, eventTypes));
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointType, {
    description:
      'Sets the rate limit of an endpoint, or removes it. It holds for deliveries claimed from now on.',
  })
  setEndpointRateLimit(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
    @Arg('maxPerSecond', () => Int, { nullable: true, description: '1 to 1,000; null: no limit.' })
    maxPerSecond?: number | null,
  ): Promise<EndpointView> {
    const rate = maxPerSecond ?? null;
    return context.transact((tx) => setEndpointRateLimit(tx, owner, id, rate));
  }

  @Authorized('webhooks:write')
  @Mutation(() => Boolean)
  async deleteWebhookEndpoint(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<boolean> {
    await context.transact((tx) => deleteEndpoint(tx, owner, id));
    return true;
  }

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointWithSecretType)
  async rotateSigningSecret(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<WithSecret> {
    return withSecret(await context.transact((tx) => rotateSigningSecret(tx, owner, id)));
  }

  @FieldResolver(() => EndpointSummaryType, {
    nullable: true,
    description: 'How its deliveries go, for lists: `endpointHealth` also counts.',
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
    description: 'What waits for it, for lists of operators.',
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
