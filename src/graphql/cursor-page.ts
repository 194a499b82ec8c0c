import { Field, ObjectType } from './type-graphql.js';

@ObjectType('Page', { simpleResolvers: true })
export class Page {
  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true, description: 'Absent on the last page.' })
  nextCursor?: string | null | undefined;
}

/** What list resolvers return. Items are entities; only fields of the schema leave the service. */
export interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly hasMore: boolean; readonly nextCursor?: string | null | undefined };
}
