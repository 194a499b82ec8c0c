import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from '../type-graphql.js';
import { notFound, validationFailed } from '../../domain/errors.js';
import type { CatalogueChanges } from '../../domain/event-type/put-event-types.js';
import {
  type EventTypeDefinition,
  findEventType,
  withBuiltInVersions,
} from '../../domain/event-type/definitions.js';
import { storageProblem } from '../../domain/text-issues.js';
import type { Context } from '../context.js';
import { CatalogueChangesType, EventTypeDefinitionType, PutEventTypeInput } from './types.js';

/** Reading a larger file would keep the process from other work. */
const maxFileBytes = 1_048_576;

/** Event types with their schemas. */
@Resolver()
export class EventTypeResolver {
  @Authorized('webhooks:read')
  @Query(() => EventTypeDefinitionType)
  async eventType(
    @Ctx() { read }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventTypeDefinition> {
    const found = storageProblem(id) === undefined ? await findEventType(read, id) : undefined;
    if (!found) throw notFound('event type');
    return found;
  }

  @Authorized('internal')
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

  @Authorized('internal')
  @Mutation(() => CatalogueChangesType, {
    description:
      'Puts every event type of a catalogue file, as YAML or JSON of at most 1 MiB, or none. Removes no type. With `dryRun`, changes nothing.',
  })
  async applyCatalogue(
    @Ctx() { transact }: Context,
    @Arg('file', () => String) file: string,
    @Arg('dryRun', () => Boolean, { defaultValue: false }) dryRun: boolean,
  ): Promise<CatalogueChanges> {
    if (Buffer.byteLength(file) > maxFileBytes) {
      const detail = `Must be at most ${maxFileBytes} bytes.`;
      throw validationFailed([{ code: 'too_long', param: 'file', detail }]);
    }
    const [{ applyCatalogue }, { parseCatalogue }] = await Promise.all([
      import('../../domain/event-type/put-event-types.js'),
      import('../../catalogue/catalogue-file.js'),
    ]);
    const inputs = parseCatalogue(file);
    return transact((tx) => applyCatalogue(tx, inputs, dryRun));
  }
}
