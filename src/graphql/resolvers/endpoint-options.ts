import {
  type EndpointOptions,
  setEndpointOptions,
} from '../../domain/endpoint/endpoint-options.js';
import type { EndpointHeaders, HeaderInput } from '../../domain/endpoint/headers.js';
import { publicKeyPath } from '../../domain/endpoint/key-pairs.js';
import { rotatePublicKey } from '../../domain/endpoint/rotate-secrets.js';
import type { PublicKey } from '../../domain/endpoint/secrets.js';
import {
  type EndpointView,
  orderings,
  type Ordering,
} from '../../domain/endpoint/endpoint.entity.js';
import { type TriedEvent, tryFilter } from '../../domain/endpoint/try-filter.js';
import { retrySchedules, type RetrySchedule, scheduleOf } from '../../domain/transaction/rules.js';
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

/** The static headers of an endpoint. */
@ObjectType('EndpointHeaders', { description: 'The values are not shown to anybody.' })
class EndpointHeadersType implements EndpointHeaders {
  @Field(() => [String])
  names!: readonly string[];

  @Field(() => DateTime)
  setAt!: Date;

  @Field(() => Boolean, {
    description:
      'False after a change of the origin of the URL, or a loss of the key: they are not sent until they are set again.',
  })
  sent!: boolean;
}

/** A public key of an endpoint. */
@ObjectType('EndpointPublicKey')
class EndpointPublicKeyType implements PublicKey {
  @Field(() => String, { description: '`whpk_` and base64, as Standard Webhooks has it.' })
  publicKey!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When an older key stops signing after a rotation; null for the newest one.',
  })
  expiresAt!: Date | null;
}

/** The signature of an endpoint with a key pair. */
@ObjectType('PublicKeySignature')
class PublicKeySignatureType {
  @Field(() => String, { description: 'Where anybody can read the public keys, as JSON.' })
  url!: string;

  @Field(() => [EndpointPublicKeyType], { description: 'The keys that sign, newest first.' })
  keys!: readonly PublicKey[];
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

  @Field(() => EndpointHeadersType, {
    nullable: true,
    description: 'Headers that go with each request; null for none.',
  })
  headers!: EndpointHeaders | null;

  @Field(() => PublicKeySignatureType, {
    nullable: true,
    description: 'The Ed25519 signature that requests carry beside the others; null for none.',
  })
  publicKeySignature!: PublicKeySignatureType | null;

  @Field(() => EndpointOrdering, {
    nullable: true,
    description: '`subject`: events of one subject one at a time. Null: no order.',
  })
  ordering!: EndpointOrdering | null;

  @Field(() => String, { nullable: true, description: 'Which events it gets; null: all.' })
  filter!: string | null;
}

@InputType('EndpointHeaderInput')
class EndpointHeaderInput implements HeaderInput {
  @Field(() => String)
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Absent or null keeps the stored value of this name.',
  })
  value?: string | null;
}

/** An event of an endpoint's types, and whether a filter matches it. */
@ObjectType('TriedEvent')
class TriedEventType implements TriedEvent {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  type!: string;

  @Field(() => String)
  subject!: string;

  @Field(() => DateTime)
  occurredAt!: Date;

  @Field(() => Boolean)
  matches!: boolean;
}

@InputType('EndpointOptionsInput', {
  description: 'Absent options keep their values; null removes an option.',
})
class EndpointOptionsInput {
  @Field(() => String, { nullable: true, description: 'One of `retrySchedules`.' })
  retrySchedule?: string | null;

  @Field(() => [EndpointHeaderInput], {
    nullable: true,
    description: 'All headers: at most 10, of at most 4,096 bytes together.',
  })
  headers?: readonly EndpointHeaderInput[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True makes a key pair, unless there is one. False deletes all key pairs: from then on receivers cannot verify with a public key.',
  })
  publicKeySignature?: boolean | null;

  @Field(() => EndpointOrdering, {
    nullable: true,
    description:
      'Orders events that are published from now on. Null also sends what waits for its turn.',
  })
  ordering?: EndpointOrdering | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sends it only events that match, such as `$.data.currency == "EUR"`.',
  })
  filter?: string | null;
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

  @Authorized('webhooks:write')
  @Mutation(() => WebhookEndpointType, {
    description:
      'Adds a key pair, which signs at once. The older private keys sign for 24 more hours.',
  })
  rotateEndpointPublicKey(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<EndpointView> {
    return context.transact((tx) => rotatePublicKey(tx, account, id));
  }

  @Authorized('webhooks:write')
  @Query(() => [TriedEventType], {
    description:
      'Which of the newest 100 events of the types of an endpoint a filter matches, newest first. Changes nothing.',
  })
  tryEndpointFilter(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
    @Arg('filter', () => String) filter: string,
  ): Promise<TriedEvent[]> {
    return context.rateLimited('test', () => tryFilter(context.read, account, id, filter));
  }

  @FieldResolver(() => EndpointOptionsType)
  async options(
    @Root() { id }: EndpointView,
    @Ctx() context: Context,
  ): Promise<EndpointOptionsType> {
    return shown(context, id, await loadersOf(context).options.load(id));
  }
}

function shown(
  { read }: Context,
  id: string,
  options: EndpointOptions | null,
): EndpointOptionsType {
  const {
    retrySchedule = null,
    ordering = null,
    filter = null,
    headers = null,
    publicKeys: keys = [],
  } = options ?? {};
  return {
    retrySchedule: scheduleOf(read.rules.retry, retrySchedule),
    ordering,
    filter,
    headers,
    publicKeySignature:
      keys.length === 0 ? null : { url: read.rules.baseUrl + publicKeyPath(id), keys },
  };
}
