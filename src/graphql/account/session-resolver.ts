import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionView,
} from '../../domain/session/sessions.js';
import type { Context } from '../context.js';
import { SessionType } from './session-types.js';

/** The sessions of the member who asks, for every credential. */
@Resolver()
export class SessionResolver {
  @Query(() => [SessionType], { description: 'The open sessions of the caller, newest first.' })
  async sessions(
    @Ctx() { viewer, read }: Context,
  ): Promise<(SessionView & { readonly current: boolean })[]> {
    const open = await listSessions(read, viewer.member);
    return open.map((session) => ({ ...session, current: session.id === viewer.credential }));
  }

  @Mutation(() => Boolean, {
    description: 'Ends a session of the caller, in every process within a second.',
  })
  async endSession(
    @Ctx() { viewer, transact }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<boolean> {
    await transact((tx) => endSession(tx, viewer.member, id));
    return true;
  }

  @Mutation(() => Int, {
    description: 'Ends the sessions of the caller but the one that asks. Returns how many ended.',
  })
  endOtherSessions(@Ctx() { viewer, transact }: Context): Promise<number> {
    return transact((tx) => endOtherSessions(tx, viewer.member, viewer.credential));
  }
}
