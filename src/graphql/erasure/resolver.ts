import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import type { ErasureStatus } from '../../domain/erasure/erasure.entity.js';
import {
  type ErasureView,
  getErasure,
  listErasures,
  startAccountErasure,
  startBuyerErasure,
} from '../../domain/erasure/erasures.js';
import { validationFailed } from '../../domain/errors.js';
import type { Context } from '../context.js';
import type { PageOf } from '../cursor-page.js';
import { EraseBuyerInput, ErasurePage, ErasureStatusEnum, ErasureType } from './types.js';

/** Erasures of accounts and buyers. Requires an internal credential. */
@Resolver()
export class ErasureResolver {
  @Authorized('internal')
  @Mutation(() => ErasureType, {
    description:
      'Closes the account at once. Workers then erase what it owns; books stay without personal data. Cannot be undone.',
  })
  async eraseAccount(
    @Ctx() { transact, viewer }: Context,
    @Arg('account', () => ID) account: string,
    @Arg('confirm', () => ID, { description: 'The id of the account again.' }) confirm: string,
  ): Promise<Shown> {
    if (confirm !== account) {
      const detail = 'Must be the id of the account.';
      throw validationFailed([{ code: 'invalid_value', detail, param: 'confirm' }]);
    }
    const { credential } = viewer;
    return toShown(await transact((tx) => startAccountErasure(tx, account, credential)));
  }

  @Authorized('internal')
  @Mutation(() => ErasureType, {
    description:
      'Workers erase the personal data of a buyer. Invoices of the last ten years keep it by default. Cannot be undone.',
  })
  async eraseBuyer(
    @Ctx() { transact, viewer: { credential } }: Context,
    @Arg('input', () => EraseBuyerInput) input: EraseBuyerInput,
  ): Promise<Shown> {
    return toShown(await transact((tx) => startBuyerErasure(tx, input, credential)));
  }

  @Authorized('internal')
  @Query(() => ErasureType)
  async erasure(@Ctx() { read }: Context, @Arg('id', () => ID) id: string): Promise<Shown> {
    return toShown(await getErasure(read, id));
  }

  @Authorized('internal')
  @Query(() => ErasurePage)
  async erasures(
    @Ctx() { read }: Context,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('status', () => ErasureStatusEnum, { nullable: true }) status?: ErasureStatus | null,
  ): Promise<PageOf<Shown>> {
    const { data, page } = await listErasures(read, { limit, cursor, status });
    return { data: data.map(toShown), page };
  }
}

type Shown = Omit<ErasureView, 'counts'> & { readonly erased: readonly ErasedRows[] };

interface ErasedRows {
  readonly table: string;
  readonly rows: number;
}

function toShown({ counts, ...erasure }: ErasureView): Shown {
  const erased = Object.entries(counts).map(([table, rows]) => ({ table, rows }));
  return { ...erasure, erased };
}
