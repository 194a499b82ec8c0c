import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from './type-graphql.js';
import { listParked, type ParkedChain, releaseParked } from '../domain/delivery/parked.js';
import type { Need } from './access.js';
import type { Context } from './context.js';
import { ParkedChainType } from './parked-chain.types.js';

/** Chains of any account that no worker claims, for operators. */
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
}
