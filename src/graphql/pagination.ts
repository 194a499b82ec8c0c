import { ArgsType, Field, Int, ObjectType } from './type-graphql.js';
import type { EntryFilter, SaleFilter } from '../domain/payment/payments.js';
import type { NumberedPage, NumberedRequest, Pagination } from '../domain/commerce/entry-list.js';

@ObjectType('Pagination')
class PaginationType implements Pagination {
  @Field(() => Int)
  totalPages!: number;

  @Field(() => Int)
  currentPage!: number;

  @Field(() => Int)
  perPage!: number;

  @Field(() => Int)
  totalCount!: number;
}

/** Makes the type of a numbered page of items of this type. */
export function listType(name: string, item: new () => object) {
  @ObjectType(name)
  class ItemList implements NumberedPage<object> {
    @Field(() => [item])
    data!: object[];

    @Field(() => PaginationType)
    pagination!: Pagination;
  }
  return ItemList;
}

/** Describes one end of a range of time that filters a list. */
export const rangeEnd = 'An RFC 3339 date (a day in UTC) or date-time. The range includes it.';

/** What a list of sales is asked for: its page, and its filter. */
@ArgsType()
export class SaleListArgs implements NumberedRequest, SaleFilter {
  @Field(() => Int, { defaultValue: 1 })
  page!: number;

  @Field(() => Int, { defaultValue: 25 })
  perPage!: number;

  @Field(() => String, { nullable: true, description: rangeEnd })
  createdFrom?: string | null;

  @Field(() => String, { nullable: true, description: rangeEnd })
  createdTo?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The whole address. Its case does not matter.',
  })
  buyerEmail?: string | null;
}

/** What the lists of orders, refunds and invoices are asked for. */
@ArgsType()
export class EntryListArgs extends SaleListArgs implements EntryFilter {
  @Field(() => String, {
    nullable: true,
    description: 'The number of an invoice or a credit note, such as INV-000001.',
  })
  number?: string | null;
}
