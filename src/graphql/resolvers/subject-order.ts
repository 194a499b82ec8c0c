import { giveUpDelivery } from '../../domain/delivery/cancel.js';
import {
  type HeldBy,
  heldByStates,
  type HeldSubject,
  heldSubjects,
} from '../../domain/delivery/subject-order.js';
import { getEndpoint } from '../../domain/endpoint/endpoints.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  enumType,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';

const HeldByState = enumType('HeldByState', heldByStates);
type HeldByState = HeldBy['state'];

/** The delivery that the others of its subject wait for. */
@ObjectType('HeldBy')
class HeldByType implements HeldBy {
  @Field(() => ID)
  pendingDeliveryId!: string;

  @Field(() => ID)
  eventId!: string;

  @Field(() => String)
  eventType!: string;

  @Field(() => HeldByState)
  state!: HeldByState;

  @Field(() => Int, { description: 'Number of its next attempt.' })
  attempt!: number;

  @Field(() => DateTime)
  dueAt!: Date;

  @Field(() => ID, { nullable: true, description: 'The record of its last attempt.' })
  lastDeliveryId!: string | null;
}

/** A subject in which deliveries wait for their turn. */
@ObjectType('HeldSubject')
class HeldSubjectType implements HeldSubject {
  @Field(() => String)
  subject!: string;

  @Field(() => Int, { description: 'How many deliveries wait; at most 1,000 are counted.' })
  waiting!: number;

  @Field(() => Boolean)
  waitingIsComplete!: boolean;

  @Field(() => HeldByType, {
    nullable: true,
    description: 'Null for the moment in which the next delivery becomes ready.',
  })
  heldBy!: HeldBy | null;
}

/** What waits behind what at endpoints with order. Internal credentials must name `account`. */
@Resolver()
export class SubjectOrderResolver {
  @Authorized('webhooks:read')
  @Query(() => [HeldSubjectType], {
    description:
      'The subjects in which deliveries to an endpoint wait for their turn, at most 100.',
  })
  async heldSubjects(
    @Ctx() { read }: Context,
    @AccountId() account: string,
    @Arg('endpoint', () => ID) endpoint: string,
  ): Promise<HeldSubject[]> {
    const { id } = await getEndpoint(read, account, endpoint);
    return heldSubjects(read, id);
  }

  @Authorized('webhooks:write')
  @Mutation(() => Boolean, {
    description:
      'Gives up a pending delivery: no further attempt is made, and the next one of its subject goes. `delivery_in_progress` while an attempt runs.',
  })
  async giveUpDelivery(
    @Ctx() { transact }: Context,
    @AccountId() account: string,
    @Arg('id', () => ID, { description: 'The id of the pending delivery, `pdl_…`.' }) id: string,
  ): Promise<boolean> {
    await transact((tx) => giveUpDelivery(tx, account, id));
    return true;
  }
}
