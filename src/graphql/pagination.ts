import { Field, Int, ObjectType } from './type-graphql.js';
import type { Pagination } from '../domain/commerce/numbered-page.js';

@ObjectType('Pagination', { simpleResolvers: true })
export class PaginationType implements Pagination {
  @Field(() => Int)
  totalPages!: number;

  @Field(() => Int)
  currentPage!: number;

  @Field(() => Int)
  perPage!: number;

  @Field(() => Int)
  totalCount!: number;
}
