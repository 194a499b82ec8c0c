import { Field, ObjectType } from './type-graphql.js';

/** Where a page of a list ends (H33). */
@ObjectType('Page', { simpleResolvers: true })
export class Page {
  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true, description: 'Absent on the last page.' })
  nextCursor?: string | null | undefined;
}

/** What resolvers of lists return; items are entities, of which only listed fields leave. */
export interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly hasMore: boolean; readonly nextCursor?: string | null | undefined };
}
