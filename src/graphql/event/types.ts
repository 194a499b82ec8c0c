import { Field, ID, InputType, ObjectType } from '../type-graphql.js';
import type { EventType } from '../../domain/event-type/event-type.entity.js';
import type { Published } from '../../domain/event/store-events.js';
import { pageType } from '../cursor-page.js';
import { Json } from '../scalars.js';

@ObjectType('EventType')
export class EventTypeType implements Omit<EventType, 'listed' | 'validation' | 'revision'> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  category!: string;

  @Field(() => String)
  summary!: string;

  @Field(() => String)
  description!: string;

  @Field(() => Boolean)
  acceptsNewSubscriptions!: boolean;

  @Field(() => Boolean, { description: 'Whether the service emits events of this type today.' })
  sent!: boolean;
}

/** The whole catalogue on one page. */
export const EventTypePage = pageType('EventTypePage', EventTypeType);

@InputType('PublishEventInput')
export class PublishEventInput {
  @Field(() => ID)
  account!: string;

  @Field(() => String)
  type!: string;

  @Field(() => String, { nullable: true, description: 'Defaults to `v1`.' })
  version?: string | null;

  @Field(() => String, { description: 'The object of the event, such as `order:ord_…`.' })
  subject!: string;

  @Field(() => Json, { description: 'An object that fits the schema of the type and version.' })
  data!: Record<string, unknown>;

  @Field(() => Boolean, { nullable: true })
  test?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'The same key with the same content publishes the event once.',
  })
  key?: string | null;
}

/** A published event; the workers deliver it. */
@ObjectType('PublishedEvent')
export class PublishedEvent implements Published {
  @Field(() => ID)
  id!: string;

  @Field(() => Boolean, { description: 'False when an event with this key existed.' })
  created!: boolean;
}

/** Why one event of several was refused. */
@ObjectType('PublishError')
export class PublishError {
  @Field(() => String, {
    description: 'As in the errors of a Problem, such as `unknown_event_type`.',
  })
  code!: string;

  @Field(() => String)
  detail!: string;

  @Field(() => String, { nullable: true, description: 'The member of the input.' })
  param?: string | undefined;
}

/** What became of one event of several. */
@ObjectType('PublishResult')
export class PublishResult {
  @Field(() => ID, { nullable: true, description: 'Null with an error.' })
  id?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'False when an event with this key existed. Null with an error.',
  })
  created?: boolean;

  @Field(() => PublishError, { nullable: true })
  error?: PublishError;
}

/** A test event of one type, to one endpoint or to the stream only. */
@InputType('SendTestEventInput')
export class SendTestEventInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Defaults to no endpoint: only the stream shows the event.',
  })
  endpoint?: string | null;

  @Field(() => String, {
    description: 'A type that the service emits. The endpoint need not subscribe to it.',
  })
  type!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Defaults to the lowest version of the type.',
  })
  version?: string | null;

  @Field(() => Json, {
    nullable: true,
    description: 'Must fit the schema of the version. Defaults to its example with fresh ids.',
  })
  data?: Record<string, unknown> | null;

  @Field(() => ID, { nullable: true })
  account?: string | null;
}
