import {
  cancelRecovery,
  pauseRecovery,
  previewRecovery,
  type RecoveryPreview,
  resumeRecovery,
  startRecovery,
} from '../../domain/recovery/change-recovery.js';
import {
  getRecovery,
  listRecoveries,
  type RecoveryView,
} from '../../domain/recovery/recoveries.js';
import type { RecoveryInput, RecoveryRange } from '../../domain/recovery/recovery-input.js';
import {
  type RecoveryKind,
  recoveryKinds,
  type RecoveryStatus,
  recoveryStatuses,
} from '../../domain/recovery/recovery.entity.js';
import { AccountId, assertPermission, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { type PageOf, cursorPageType } from '../lists.js';
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
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';
import { EndpointHealthType, type HealthOfEndpoint } from './statistics.js';

const RecoveryKindEnum = enumType('RecoveryKind', recoveryKinds, {
  description: 'Events that the endpoint failed to accept, events that it missed, or both.',
});

const RecoveryStatusEnum = enumType('RecoveryStatus', recoveryStatuses);

/** Which events of an endpoint to recover. */
@InputType('RecoveryRangeInput')
class RecoveryRangeInput implements Omit<RecoveryRange, 'endpointId'> {
  @Field(() => ID)
  endpoint!: string;

  @Field(() => RecoveryKindEnum)
  what!: RecoveryKind;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Events from this time on. Defaults to 30 days ago, which is the earliest.',
  })
  since?: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Events up to this time. Defaults to now, which is the latest.',
  })
  until?: Date | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Types that the endpoint subscribes to. Defaults to all of them.',
  })
  eventTypes?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to send missed events from before the subscription. Requires `orders` at read level. Defaults to false.',
  })
  includeBefore?: boolean | null;

  @Field(() => Int, { nullable: true, description: '1 to 500. Defaults to 50.' })
  ratePerSecond?: number | null;
}

@InputType('StartRecoveryInput')
class StartRecoveryInput extends RecoveryRangeInput implements Omit<RecoveryInput, 'endpointId'> {
  @Field(() => String, {
    description: 'The same key with the same input is the same recovery. 1 to 255 characters.',
  })
  idempotencyKey!: string;
}

/** What a recovery would send now. */
@ObjectType('RecoveryPreview')
class RecoveryPreviewType implements RecoveryPreview {
  @Field(() => Int)
  failed!: number;

  @Field(() => Int)
  missed!: number;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the first counted event was published.',
  })
  oldest!: Date | null;

  @Field(() => DateTime, { nullable: true })
  newest!: Date | null;

  @Field(() => Boolean, {
    description:
      'False when the account has more than 10,000 events in the range. Continue with `since: countedUntil`.',
  })
  complete!: boolean;

  @Field(() => DateTime)
  countedUntil!: Date;

  @Field(() => Int, { description: 'For the counted events, at the rate of the input.' })
  estimatedSeconds!: number;
}

/** A job that sends an endpoint what it failed to take or missed. */
@ObjectType('Recovery')
class RecoveryType implements RecoveryView {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  endpointId!: string;

  @Field(() => RecoveryKindEnum)
  what!: RecoveryKind;

  @Field(() => DateTime)
  since!: Date;

  @Field(() => DateTime)
  until!: Date;

  @Field(() => [String], { nullable: true, description: 'Null for all subscribed types.' })
  eventTypes!: string[] | null;

  @Field(() => Boolean)
  includeBefore!: boolean;

  @Field(() => Int)
  ratePerSecond!: number;

  @Field(() => RecoveryStatusEnum)
  status!: RecoveryStatus;

  @Field(() => String, {
    nullable: true,
    description:
      'Why it is paused or cancelled: `requested`, `endpoint_inactive`, `endpoint_deleted` or `expired`.',
  })
  reason!: RecoveryView['reason'];

  @Field(() => String, {
    nullable: true,
    description:
      'What a running recovery waits for: `endpoint_failing`, `endpoint_backlog`, `cancellations` or `account_full`.',
  })
  waitsFor!: RecoveryView['waitsFor'];

  @Field(() => DateTime, { description: 'It has read the events up to this time.' })
  position!: Date;

  @Field(() => Float, { description: 'Deliveries that this recovery added for failed events.' })
  failed!: number;

  @Field(() => Float, { description: 'Deliveries that this recovery added for missed events.' })
  missed!: number;

  @Field(() => Int, {
    description: 'Deliveries of this recovery whose first attempt has not ended.',
  })
  waiting!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'Deliveries of this recovery that the endpoint accepted. Null while it has 10,000 pending or abandoned deliveries.',
  })
  delivered!: number | null;

  @Field(() => Int, { description: 'Deliveries of this recovery that failed and are retried.' })
  retrying!: number;

  @Field(() => Int, {
    description:
      'Deliveries of this recovery that failed permanently, or were cancelled after a failed attempt.',
  })
  abandoned!: number;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  updatedAt!: Date;

  @Field(() => DateTime, { nullable: true })
  endedAt!: Date | null;
}

/** Recoveries of an account, newest first. */
const RecoveryPage = cursorPageType('RecoveryPage', RecoveryType);

/** Recoveries, and `recoverable` of the health of an endpoint. Internal credentials must name `account`. */
@Resolver(() => EndpointHealthType)
export class RecoveryResolver {
  @Authorized('webhooks:read')
  @Query(() => RecoveryPreviewType, {
    description: 'Counts what a recovery would send. Sends nothing.',
  })
  async previewRecovery(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('input', () => RecoveryRangeInput) input: RecoveryRangeInput,
  ): Promise<RecoveryPreview> {
    assertMayInclude(context, input);
    const { endpoint: endpointId, ...range } = input;
    return previewRecovery(context.read, account, { endpointId, ...range });
  }

  @Authorized('webhooks:read')
  @Query(() => RecoveryType)
  recovery(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RecoveryView> {
    return getRecovery(context.read, account, id);
  }

  @Authorized('webhooks:read')
  @Query(() => RecoveryPage)
  recoveries(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('status', () => RecoveryStatusEnum, { nullable: true }) status?: RecoveryStatus | null,
  ): Promise<PageOf<RecoveryView>> {
    return listRecoveries(context.read, account, { limit, cursor, status });
  }

  @Authorized('webhooks:write')
  @Mutation(() => RecoveryType, {
    description:
      'Sends an endpoint the events that it failed to accept or missed, at the rate of the input.',
  })
  async startRecovery(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('input', () => StartRecoveryInput) input: StartRecoveryInput,
  ): Promise<RecoveryView> {
    assertMayInclude(context, input);
    const { endpoint: endpointId, ...range } = input;
    return context.transact((tx) => startRecovery(tx, account, { endpointId, ...range }));
  }

  @Authorized('webhooks:write')
  @Mutation(() => RecoveryType, {
    description: 'Pauses a recovery: it adds no deliveries until it is resumed.',
  })
  pauseRecovery(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RecoveryView> {
    return context.transact((tx) => pauseRecovery(tx, account, id));
  }

  @Authorized('webhooks:write')
  @Mutation(() => RecoveryType)
  resumeRecovery(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RecoveryView> {
    return context.transact((tx) => resumeRecovery(tx, account, id));
  }

  @Authorized('webhooks:write')
  @Mutation(() => RecoveryType, {
    description: 'Ends a recovery. Deliveries that it has added are not affected.',
  })
  cancelRecovery(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RecoveryView> {
    return context.transact((tx) => cancelRecovery(tx, account, id));
  }

  @FieldResolver(() => RecoveryPreviewType, {
    description:
      'What a recovery since its latest success would send. Reads at most 10,000 events. Enable an inactive endpoint first.',
  })
  recoverable(@Root() health: HealthOfEndpoint, @Ctx() context: Context): Promise<RecoveryPreview> {
    const { id: endpointId, account, lastSuccessAt: since } = health;
    return previewRecovery(context.read, account, { endpointId, what: 'both', since });
  }
}

/** Events from before the subscription contain orders that the endpoint was never sent. */
function assertMayInclude(context: Context, { includeBefore }: RecoveryRangeInput): void {
  if (includeBefore === true) assertPermission(context, 'orders:read');
}
