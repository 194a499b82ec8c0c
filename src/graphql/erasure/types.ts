import { Field, Float, ID, InputType, ObjectType } from '../type-graphql.js';
import {
  type ErasureKind,
  erasureKinds,
  type ErasureStatus,
  erasureStatuses,
} from '../../domain/erasure/erasure.entity.js';
import type { ErasureView, BuyerErasureInput } from '../../domain/erasure/erasures.js';
import { pageType } from '../cursor-page.js';
import { enumType } from '../enum-type.js';
import { DateTime } from '../scalars.js';

const ErasureKindEnum = enumType('ErasureKind', erasureKinds, {
  description: 'A whole account, or the personal data of one buyer.',
});

export const ErasureStatusEnum = enumType('ErasureStatus', erasureStatuses);

@InputType('EraseBuyerInput')
export class EraseBuyerInput implements BuyerErasureInput {
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
export class ErasedRowsType {
  @Field(() => String)
  table!: string;

  @Field(() => Float, {
    description: 'Deleted or changed rows. One that two stages change counts twice.',
  })
  rows!: number;
}

/** A job that erases, and the record that it was done. It has no personal data. */
@ObjectType('Erasure')
export class ErasureType implements Omit<ErasureView, 'counts'> {
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
export const ErasurePage = pageType('ErasurePage', ErasureType);
