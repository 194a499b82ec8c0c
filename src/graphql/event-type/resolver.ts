import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from '../type-graphql.js';
import { notFound } from '../../domain/errors.js';
import { type EventTypeDefinition, readDefinition } from '../../domain/event-type/definition.js';
import { storageProblem } from '../../domain/text-issues.js';
import type { RequiredPermission } from '../access.js';
import type { Context } from '../context.js';
import { EventTypeDefinitionType, PutEventTypeInput } from './types.js';

/** Event types with their schemas. */
@Resolver()
export class EventTypeResolver {
  @Authorized<RequiredPermission>('internal')
  @Query(() => EventTypeDefinitionType)
  async eventType(
    @Ctx() { read }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventTypeDefinition> {
    const found = storageProblem(id) === undefined ? await readDefinition(read, id) : undefined;
    if (!found) throw notFound('event type');
    return found;
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => EventTypeDefinitionType, {
    description:
      'Adds an event type, or changes it. Refuses a change of a schema that breaks data of its version.',
  })
  async putEventType(
    @Ctx() { transact }: Context,
    @Arg('input', () => PutEventTypeInput) input: PutEventTypeInput,
  ): Promise<EventTypeDefinition> {
    // Loaded late: it compiles patterns and meta-schemas, and most processes never need it.
    const { putEventType } = await import('../../domain/event-type/put-event-types.js');
    return transact((tx) => putEventType(tx, input));
  }
}
