import { Field, Int, ObjectType } from './type-graphql.js';
import type { NumberedPage, Pagination } from '../domain/commerce/numbered-page.js';

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
