import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from '../type-graphql.js';
import { notFound } from '../../domain/errors.js';
import type { EventTypeDefinition } from '../../domain/event-type/definition.js';
import { findEventType, withBuiltInVersions } from '../../domain/event-type/find-event-type.js';
import { storageProblem } from '../../domain/text-issues.js';
import type { RequiredPermission } from '../access.js';
import type { Context } from '../context.js';
import { EventTypeDefinitionType, PutEventTypeInput } from './types.js';

/** Event types with their schemas. */
@Resolver()
export class EventTypeResolver {
  @Authorized<RequiredPermission>('webhooks:read')
  @Query(() => EventTypeDefinitionType)
  async eventType(
    @Ctx() { read }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventTypeDefinition> {
    const found = storageProblem(id) === undefined ? await findEventType(read, id) : undefined;
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
    return transact(async (tx) => withBuiltInVersions(await putEventType(tx, input)));
  }
}
