import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from './type-graphql.js';
import { releaseIsolated } from '../domain/delivery/isolated.js';
import { listParked, type ParkedChain, releaseParked } from '../domain/delivery/parked.js';
import type { Need } from './access.js';
import type { Context } from './context.js';
import { ParkedChainType } from './parked-chain.types.js';

/** Deliveries of any account that need an operator: those that are parked, and those that are isolated. */
@Resolver()
export class ParkedChainResolver {
  @Authorized<Need>('internal')
  @Query(() => [ParkedChainType], { description: 'The oldest 100, of all accounts.' })
  parkedChains(@Ctx() { read }: Context): Promise<ParkedChain[]> {
    return listParked(read);
  }

  @Authorized<Need>('internal')
  @Mutation(() => ParkedChainType, {
    description: 'Lets workers send it again, beside nothing else; answers what it was parked for.',
  })
  releaseParkedChain(
    @Ctx() { transact }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<ParkedChain> {
    return transact((tx) => releaseParked(tx, id));
  }

  @Authorized<Need>('internal')
  @Mutation(() => Int, {
    description:
      'Puts isolated deliveries of all accounts back among the others, at most 1,000 at once; answers how many. Repeat it until it answers 0.',
  })
  releaseIsolatedDeliveries(@Ctx() { transact }: Context): Promise<number> {
    return transact(releaseIsolated);
  }
}
