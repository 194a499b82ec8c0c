import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionView,
} from '../../domain/session/sessions.js';
import { memberOf } from '../access.js';
import type { Context } from '../context.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';

/** A member who is signed in to the dashboard with one browser. */
@ObjectType('Session')
class SessionType implements SessionView {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: 'The User-Agent of the browser at sign-in, truncated.' })
  userAgent!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Updated at most once a minute.' })
  lastUsedAt!: Date;

  @Field(() => DateTime, { description: 'When it ends without further use.' })
  expiresAt!: Date;

  @Field(() => Boolean, { description: 'True for the session of this request.' })
  current!: boolean;
}

/** The sessions of the calling member, for every credential. */
@Resolver()
export class SessionResolver {
  @Query(() => [SessionType], { description: 'The open sessions of the caller, newest first.' })
  async sessions(
    @Ctx() context: Context,
  ): Promise<(SessionView & { readonly current: boolean })[]> {
    const { viewer, read } = context;
    const open = await listSessions(read, memberOf(context));
    return open.map((session) => ({ ...session, current: session.id === viewer.credential }));
  }

  @Mutation(() => Boolean, {
    description: 'Ends a session of the caller, in every process within a second.',
  })
  async endSession(@Ctx() context: Context, @Arg('id', () => ID) id: string): Promise<boolean> {
    const member = memberOf(context);
    await context.transact((tx) => endSession(tx, member, id));
    return true;
  }

  @Mutation(() => Int, {
    description:
      'Ends all sessions of the caller except the current one, and unused links to sign in. Returns how many sessions ended.',
  })
  async endOtherSessions(@Ctx() context: Context): Promise<number> {
    const member = memberOf(context);
    return context.transact((tx) => endOtherSessions(tx, member, context.viewer.credential));
  }
}
