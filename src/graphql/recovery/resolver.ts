import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import {
  cancelRecovery,
  pauseRecovery,
  resumeRecovery,
  previewRecovery,
  type RecoveryPreview,
  startRecovery,
} from '../../domain/recovery/change-recovery.js';
import {
  getRecovery,
  listRecoveries,
  type RecoveryView,
} from '../../domain/recovery/recoveries.js';
import type { RecoveryStatus } from '../../domain/recovery/recovery.entity.js';
import { assertPermission } from '../access.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import type { PageOf } from '../cursor-page.js';
import {
  RecoveryPage,
  RecoveryPreviewType,
  RecoveryRangeInput,
  RecoveryStatusEnum,
  RecoveryType,
  StartRecoveryInput,
} from './types.js';

/** Recoveries of endpoints. Internal credentials must name `account`. */
@Resolver()
export class RecoveryResolver {
  @Authorized('webhooks:read')
  @Query(() => RecoveryPreviewType, {
    description: 'Counts what a recovery would send. Sends nothing.',
  })
  async previewRecovery(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('input', () => RecoveryRangeInput) input: RecoveryRangeInput,
  ): Promise<RecoveryPreview> {
    assertMayInclude(context, input);
    const { endpoint: endpointId, ...range } = input;
    return previewRecovery(context.read, owner, { endpointId, ...range });
  }

  @Authorized('webhooks:read')
  @Query(() => RecoveryType)
  recovery(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RecoveryView> {
    return getRecovery(context.read, owner, id);
  }

  @Authorized('webhooks:read')
  @Query(() => RecoveryPage)
  recoveries(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('status', () => RecoveryStatusEnum, { nullable: true }) status?: RecoveryStatus | null,
  ): Promise<PageOf<RecoveryView>> {
    return listRecoveries(context.read, owner, { limit, cursor, status });
  }

  @Authorized('webhooks:write')
  @Mutation(() => RecoveryType, {
    description:
      'Sends the endpoint again what it failed to take or missed. Workers do so at the rate of the input.',
  })
  async startRecovery(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('input', () => StartRecoveryInput) input: StartRecoveryInput,
  ): Promise<RecoveryView> {
    assertMayInclude(context, input);
    const { endpoint: endpointId, ...range } = input;
    return context.transact((tx) => startRecovery(tx, owner, { endpointId, ...range }));
  }

  @Authorized('webhooks:write')
  @Mutation(() => RecoveryType, { description: 'Adds no more deliveries until it is resumed.' })
  pauseRecovery(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RecoveryView> {
    return context.transact((tx) => pauseRecovery(tx, owner, id));
  }

  @Authorized('webhooks:write')
  @Mutation(() => RecoveryType)
  resumeRecovery(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RecoveryView> {
    return context.transact((tx) => resumeRecovery(tx, owner, id));
  }

  @Authorized('webhooks:write')
  @Mutation(() => RecoveryType, { description: 'Ends it. What was sent stays sent.' })
  cancelRecovery(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RecoveryView> {
    return context.transact((tx) => cancelRecovery(tx, owner, id));
  }
}

/** Events from before the subscription hold orders that the endpoint was never sent. */
function assertMayInclude(context: Context, { includeBefore }: RecoveryRangeInput): void {
  if (includeBefore === true) assertPermission(context, 'orders:read');
}
