import { Field, Float, ID, InputType, Int, ObjectType } from '../type-graphql.js';
import type { RecoveryPreview } from '../../domain/recovery/change-recovery.js';
import type { RecoveryView } from '../../domain/recovery/recoveries.js';
import {
  type RecoveryKind,
  recoveryKinds,
  type RecoveryStatus,
  recoveryStatuses,
} from '../../domain/recovery/recovery.entity.js';
import type { RecoveryInput, RecoveryRange } from '../../domain/recovery/recovery-input.js';
import { pageType } from '../cursor-page.js';
import { enumType } from '../enum-type.js';
import { DateTime } from '../scalars.js';

const RecoveryKindEnum = enumType('RecoveryKind', recoveryKinds, {
  description: 'Events that the endpoint failed to take, events that it missed, or both.',
});

export const RecoveryStatusEnum = enumType('RecoveryStatus', recoveryStatuses);

/** Which events of an endpoint to recover. */
@InputType('RecoveryRangeInput')
export class RecoveryRangeInput implements Omit<RecoveryRange, 'endpointId'> {
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
export class StartRecoveryInput
  extends RecoveryRangeInput
  implements Omit<RecoveryInput, 'endpointId'>
{
  @Field(() => String, {
    description: 'The same key with the same input is the same recovery. 1 to 255 characters.',
  })
  idempotencyKey!: string;
}

/** What a recovery would send now. */
@ObjectType('RecoveryPreview')
export class RecoveryPreviewType implements RecoveryPreview {
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
      'False when the account has more than 10,000 events in the range. Count on with `since: countedUntil`.',
  })
  complete!: boolean;

  @Field(() => DateTime)
  countedUntil!: Date;

  @Field(() => Int, { description: 'For the counted events, at the rate of the input.' })
  estimatedSeconds!: number;
}

/** A job that sends an endpoint what it failed to take or missed. */
@ObjectType('Recovery')
export class RecoveryType implements RecoveryView {
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
      'What a running one waits for: `endpoint_failing`, `endpoint_backlog`, `cancellations` or `account_full`.',
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
export const RecoveryPage = pageType('RecoveryPage', RecoveryType);
