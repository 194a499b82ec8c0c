import type { NumberedPage, Pagination } from '../domain/commerce/entry-list.js';
import { Field, Int, ObjectType } from './type-graphql.js';

@ObjectType('Page')
class Page {
  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true, description: 'Absent on the last page.' })
  nextCursor?: string | null | undefined;
}

/** What resolvers of lists with a cursor return. Items are entities; only fields of the schema leave the service. */
export interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly hasMore: boolean; readonly nextCursor?: string | null | undefined };
}

/** Creates the type of a {@link PageOf} items of this type. */
export function cursorPageType(
  name: string,
  item: new () => object,
  options: { readonly description?: string } = {},
) {
  @ObjectType(name, options)
  class ItemPage implements PageOf<object> {
    @Field(() => [item])
    data!: readonly object[];

    @Field(() => Page)
    page!: Page;
  }
  return ItemPage;
}

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

/** Creates the type of a numbered page of items of this type. */
export function numberedPageType(name: string, item: new () => object) {
  @ObjectType(name)
  class ItemList implements NumberedPage<object> {
    @Field(() => [item])
    data!: object[];

    @Field(() => PaginationType)
    pagination!: Pagination;
  }
  return ItemList;
}
