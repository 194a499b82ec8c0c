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
    description:
      'Releases a dead letter to the workers, still isolated. Returns it with the reason it was dead-lettered.',
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
      'Releases isolated deliveries of all accounts, at most 1,000 per call. Returns how many; repeat it until it returns 0.',
  })
  releaseIsolatedDeliveries(@Ctx() { transact }: Context): Promise<number> {
    return transact(releaseIsolated);
  }
}
