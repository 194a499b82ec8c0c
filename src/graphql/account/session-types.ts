import { Field, ID, ObjectType } from '../type-graphql.js';
import type { SessionView } from '../../domain/session/sessions.js';
import { DateTime } from '../scalars.js';

/** A member who is signed in to the dashboard with one browser. */
@ObjectType('Session')
export class SessionType implements SessionView {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: 'The User-Agent of the browser at sign-in, truncated.' })
  userAgent!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, { description: 'At most a minute late.' })
  lastUsedAt!: Date;

  @Field(() => DateTime, { description: 'When it ends without further use.' })
  expiresAt!: Date;

  @Field(() => Boolean, { description: 'True for the session of this request.' })
  current!: boolean;
}
