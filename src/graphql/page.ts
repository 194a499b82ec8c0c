import { Field, ObjectType } from 'type-graphql';

/** Where a page of a list ends (H33). */
@ObjectType('Page', { simpleResolvers: true })
export class Page {
  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true, description: 'Absent on the last page.' })
  nextCursor?: string | null | undefined;
}
