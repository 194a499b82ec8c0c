import {
  type DeadLetter,
  getDeadLetter,
  listDeadLetters,
  releaseDeadLetter,
} from '../../domain/delivery/dead-letters.js';
import { releaseIsolated } from '../../domain/delivery/isolation.js';
import { Authorized } from '../access.js';
import type { Context } from '../context.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';

/** A pending delivery that no worker claims until an operator releases it. */
@ObjectType('DeadLetter')
class DeadLetterType implements DeadLetter {
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

/** Dead letters and isolated deliveries of all accounts, for operators. */
@Resolver()
export class DeadLetterResolver {
  @Authorized('internal')
  @Query(() => [DeadLetterType], { description: 'The oldest 100, of all accounts.' })
  deadLetters(
    @Ctx() { read }: Context,
    @Arg('after', () => ID, {
      nullable: true,
      description: 'Lists only dead letters after this one.',
    })
    after?: string | null,
  ): Promise<DeadLetter[]> {
    return listDeadLetters(read, after ?? undefined);
  }

  @Authorized('internal')
  @Query(() => DeadLetterType)
  deadLetter(@Ctx() { read }: Context, @Arg('id', () => ID) id: string): Promise<DeadLetter> {
    return getDeadLetter(read, id);
  }

  @Authorized('internal')
  @Mutation(() => DeadLetterType, {
    description:
      'Releases a dead letter to the workers, still isolated. Returns it with the reason it was dead-lettered.',
  })
  releaseDeadLetter(
    @Ctx() { transact }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<DeadLetter> {
    return transact((tx) => releaseDeadLetter(tx, id));
  }

  @Authorized('internal')
  @Mutation(() => Int, {
    description:
      'Releases isolated deliveries of all accounts, at most 1,000 per call. Returns how many; repeat it until it returns 0.',
  })
  releaseIsolatedDeliveries(@Ctx() { transact }: Context): Promise<number> {
    return transact(releaseIsolated);
  }
}
