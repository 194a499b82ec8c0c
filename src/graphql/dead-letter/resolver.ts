import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import { releaseIsolated } from '../../domain/delivery/isolation.js';
import {
  getDeadLetter,
  listDeadLetters,
  type DeadLetter,
  releaseDeadLetter,
} from '../../domain/delivery/dead-letters.js';
import type { Context } from '../context.js';
import { DeadLetterType } from './types.js';

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
