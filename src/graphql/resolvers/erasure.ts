import {
  type ErasureKind,
  erasureKinds,
  type ErasureStatus,
  erasureStatuses,
} from '../../domain/erasure/erasure.entity.js';
import {
  type BuyerErasureInput,
  type ErasureView,
  getErasure,
  listErasures,
  startAccountErasure,
  startBuyerErasure,
} from '../../domain/erasure/erasures.js';
import { validationFailed } from '../../domain/errors.js';
import { Authorized } from '../access.js';
import type { Context } from '../context.js';
import { type PageOf, cursorPageType } from '../lists.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  enumType,
  Field,
  Float,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';

const ErasureKindEnum = enumType('ErasureKind', erasureKinds, {
  description: 'A whole account, or the personal data of one buyer.',
});

const ErasureStatusEnum = enumType('ErasureStatus', erasureStatuses);

@InputType('EraseBuyerInput')
class EraseBuyerInput implements BuyerErasureInput {
  @Field(() => ID)
  account!: string;

  @Field(() => String, {
    description:
      'The address of the buyer. The case of ASCII letters does not matter, nor whether the domain is in Unicode or in Punycode.',
  })
  email!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to erase the buyer also from invoices of the last ten years. Defaults to false.',
  })
  includeInvoices?: boolean | null;
}

/** How many rows of one table were erased. */
@ObjectType('ErasedRows')
class ErasedRowsType {
  @Field(() => String)
  table!: string;

  @Field(() => Float, {
    description: 'Deleted or changed rows. One that two stages change counts twice.',
  })
  rows!: number;
}

/** An erasure and its progress, kept as the record that it was done. It has no personal data. */
@ObjectType('Erasure')
class ErasureType implements Omit<ErasureView, 'counts'> {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  accountId!: string;

  @Field(() => ErasureKindEnum)
  kind!: ErasureKind;

  @Field(() => String, { description: 'The id of an internal credential, or `command`.' })
  requestedBy!: string;

  @Field(() => Boolean)
  includeInvoices!: boolean;

  @Field(() => ErasureStatusEnum)
  status!: ErasureStatus;

  @Field(() => Boolean, {
    description: 'Whether all found data is erased and only the last pass is left.',
  })
  waiting!: boolean;

  @Field(() => [ErasedRowsType])
  erased!: ErasedRowsType[];

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  updatedAt!: Date;

  @Field(() => DateTime, { nullable: true })
  completedAt!: Date | null;
}

/** Erasures of all accounts, newest first. */
const ErasurePage = cursorPageType('ErasurePage', ErasureType);

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
  ): Promise<ErasureWithRows> {
    if (confirm !== account) {
      const detail = 'Must be the id of the account.';
      throw validationFailed([{ code: 'invalid_value', detail, param: 'confirm' }]);
    }
    const { credential } = viewer;
    return withRows(await transact((tx) => startAccountErasure(tx, account, credential)));
  }

  @Authorized('internal')
  @Mutation(() => ErasureType, {
    description:
      'Workers erase the personal data of a buyer. Invoices of the last ten years keep it by default. Cannot be undone.',
  })
  async eraseBuyer(
    @Ctx() { transact, viewer: { credential } }: Context,
    @Arg('input', () => EraseBuyerInput) input: EraseBuyerInput,
  ): Promise<ErasureWithRows> {
    return withRows(await transact((tx) => startBuyerErasure(tx, input, credential)));
  }

  @Authorized('internal')
  @Query(() => ErasureType)
  async erasure(
    @Ctx() { read }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<ErasureWithRows> {
    return withRows(await getErasure(read, id));
  }

  @Authorized('internal')
  @Query(() => ErasurePage)
  async erasures(
    @Ctx() { read }: Context,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('status', () => ErasureStatusEnum, { nullable: true }) status?: ErasureStatus | null,
  ): Promise<PageOf<ErasureWithRows>> {
    const { data, page } = await listErasures(read, { limit, cursor, status });
    return { data: data.map(withRows), page };
  }
}

type ErasureWithRows = Omit<ErasureView, 'counts'> & { readonly erased: readonly ErasedRows[] };

interface ErasedRows {
  readonly table: string;
  readonly rows: number;
}

function withRows({ counts, ...erasure }: ErasureView): ErasureWithRows {
  const erased = Object.entries(counts).map(([table, rows]) => ({ table, rows }));
  return { ...erasure, erased };
}
