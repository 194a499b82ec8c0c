import { Field, Float, ID, Int, ObjectType } from '../type-graphql.js';
import type { Ages } from '../../domain/delivery/backlog.js';
import type { EndpointHealth } from '../../domain/delivery/health.js';
import type {
  EndpointFailures,
  Latency,
  StatisticsOfSpan,
} from '../../domain/delivery/statistics.js';
import { enumType } from '../enum-type.js';
import { DisabledReason, EndpointSummaryType } from '../endpoint/types.js';
import { DateTime } from '../scalars.js';

/** The lengths of time that statistics count by. */
export const StatisticsSpan = enumType('StatisticsSpan', ['hour', 'day']);
export type StatisticsSpan = keyof typeof StatisticsSpan;

/** How the deliveries to an endpoint go, with their counts. */
@ObjectType('EndpointHealth')
export class EndpointHealthType extends EndpointSummaryType implements EndpointHealth {
  @Field(() => ID)
  id!: string;

  @Field(() => DisabledReason, { nullable: true })
  disabledReason!: EndpointHealth['disabledReason'];

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the current run of failed attempts began.',
  })
  failingSince!: Date | null;

  @Field(() => Int, { description: 'Failed attempts in that run.' })
  failureCount!: number;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'The earliest time at which a failed attempt disables it. Null unless it is failing.',
  })
  disablesAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Further failed attempts until the service disables it. Null unless it is failing.',
  })
  failuresUntilDisabled!: number | null;

  @Field(() => Int, { description: 'Open pending deliveries, counted up to 10,000.' })
  pendingCount!: number;

  @Field(() => Boolean, { description: 'False when there are more than 10,000.' })
  pendingCountIsComplete!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the oldest open pending delivery was created.',
  })
  oldestPendingAt!: Date | null;
}

/** Durations of attempts in milliseconds. */
@ObjectType('Latency', {
  description: 'Durations of attempts in milliseconds, within 5 %. A timeout counts in full.',
})
export class LatencyType implements Latency {
  @Field(() => Int)
  p50Ms!: number;

  @Field(() => Int)
  p95Ms!: number;

  @Field(() => Int)
  p99Ms!: number;
}

/** What was recorded in attempts that began within one hour or one UTC day. */
@ObjectType('WebhookStatistics')
export class WebhookStatisticsType implements StatisticsOfSpan {
  @Field(() => DateTime)
  startsAt!: Date;

  @Field(() => Int, { description: 'The sum of `success`, `failed` and `abandoned`.' })
  attempts!: number;

  @Field(() => Int)
  success!: number;

  @Field(() => Int)
  failed!: number;

  @Field(() => Int)
  abandoned!: number;

  @Field(() => Int, { description: 'Attempts after the first of their delivery.' })
  retries!: number;

  @Field(() => LatencyType, { nullable: true, description: 'Null when nothing was sent.' })
  latency!: LatencyType | null;
}

/** For how long deliveries of an account have been due. */
@ObjectType('DeliveryLag', {
  description: 'How late the deliveries are that no worker has claimed.',
})
export class DeliveryLagType implements Ages {
  @Field(() => Float, {
    description:
      'Seconds the oldest deliverable delivery is overdue. 0 when there is none. Leaves out recoveries, isolated deliveries, and endpoints that fail, are inactive or have a rate limit.',
  })
  oldestDueSeconds!: number;

  @Field(() => Float, {
    description: 'Seconds the oldest delivery of all is overdue. 0 when there is none.',
  })
  oldestBacklogSeconds!: number;
}

/** The attempts at one endpoint that did not succeed. */
@ObjectType('EndpointFailures')
export class EndpointFailuresType implements Omit<EndpointFailures, 'endpointId'> {
  @Field(() => Int)
  failed!: number;

  @Field(() => Int)
  abandoned!: number;
}
