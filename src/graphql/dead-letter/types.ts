import { Field, ID, Int, ObjectType } from '../type-graphql.js';
import type { DeadLetter } from '../../domain/delivery/dead-letters.js';
import { DateTime } from '../scalars.js';

/** A pending delivery that no worker claims until an operator releases it. */
@ObjectType('DeadLetter')
export class DeadLetterType implements DeadLetter {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  accountId!: string;

  @Field(() => ID)
  endpointId!: string;

  @Field(() => ID)
  eventId!: string;

  @Field(() => String)
  eventType!: string;

  @Field(() => Int, { description: 'Number of the attempt that never ended.' })
  attempt!: number;

  @Field(() => ID, { nullable: true })
  replayedFrom!: string | null;

  @Field(() => String)
  reason!: string;

  @Field(() => DateTime)
  since!: Date;
}
