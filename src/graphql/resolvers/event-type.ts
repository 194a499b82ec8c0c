import { notFound, validationFailed } from '../../domain/errors.js';
import {
  type EventTypeDefinition,
  type EventTypeInput,
  type EventTypeVersionContent,
  findEventType,
  withBuiltInVersions,
} from '../../domain/event-type/definitions.js';
import type { EventType } from '../../domain/event-type/event-type.entity.js';
import {
  listEventTypes,
  retireEventType,
  unlistEventType,
} from '../../domain/event-type/event-types.js';
import type { CatalogueChanges, PutResult } from '../../domain/event-type/put-event-types.js';
import { storageProblem } from '../../domain/values/text.js';
import { Authorized } from '../access.js';
import type { Context } from '../context.js';
import { type PageOf, cursorPageType } from '../lists.js';
import { Json } from '../scalars.js';
import {
  Arg,
  Ctx,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from '../type-graphql.js';

/** An event type as the catalogue lists it. */
@ObjectType('EventType')
class EventTypeType implements Omit<EventType, 'listed' | 'validation' | 'revision'> {
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
const EventTypePage = cursorPageType('EventTypePage', EventTypeType);

/** What the service does with published data that breaks its schema. */
enum EventValidation {
  enforce = 'enforce',
  warn = 'warn',
}

registerEnumType(EventValidation, {
  name: 'EventValidation',
  description: 'What the service does with published data that breaks its schema.',
  valuesConfig: {
    enforce: { description: 'The event is refused.' },
    warn: { description: 'The event is published, counted and logged.' },
  },
});

/** One version of the data of an event type. */
@ObjectType('EventTypeVersion')
class EventTypeVersionType implements EventTypeVersionContent {
  @Field(() => String)
  version!: string;

  @Field(() => Json, { description: 'JSON Schema 2020-12, as served at `dataschema`.' })
  schema!: Record<string, unknown>;

  @Field(() => Json, {
    description: 'Data that fits the schema; a test event sends it with fresh ids.',
  })
  example!: Record<string, unknown>;
}

/** An event type with its schemas. */
@ObjectType('EventTypeDefinition')
class EventTypeDefinitionType implements EventTypeDefinition {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  category!: string;

  @Field(() => String)
  summary!: string;

  @Field(() => String)
  description!: string;

  @Field(() => Boolean, { description: 'Whether it accepts new subscriptions.' })
  offered!: boolean;

  @Field(() => Boolean, { description: 'False once it was removed from the catalogue.' })
  listed!: boolean;

  @Field(() => Boolean)
  sent!: boolean;

  @Field(() => EventValidation)
  validation!: EventValidation;

  @Field(() => [EventTypeVersionType], {
    description: 'In ascending order. Empty for a type without a schema.',
  })
  versions!: EventTypeVersionType[];
}

@InputType('EventTypeVersionInput')
class EventTypeVersionInput implements EventTypeVersionContent {
  @Field(() => String, { description: 'Such as `v1`.' })
  version!: string;

  @Field(() => Json, { description: 'JSON Schema 2020-12 of the data.' })
  schema!: Record<string, unknown>;

  @Field(() => Json, { description: 'Data that fits the schema; a test event sends it.' })
  example!: Record<string, unknown>;
}

@InputType('PutEventTypeInput')
class PutEventTypeInput implements EventTypeInput {
  @Field(() => ID, { description: 'Names joined by dots, such as `shop.order.shipped`.' })
  id!: string;

  @Field(() => String)
  category!: string;

  @Field(() => String)
  summary!: string;

  @Field(() => String)
  description!: string;

  @Field(() => Boolean, { description: 'Whether it accepts new subscriptions.' })
  offered!: boolean;

  @Field(() => EventValidation)
  validation!: EventValidation;

  @Field(() => [EventTypeVersionInput], {
    description: 'Versions that are not named stay as they are.',
  })
  versions!: EventTypeVersionInput[];
}

/** What changes of one event type. */
@ObjectType('EventTypeChanges')
class EventTypeChangesType implements PutResult {
  @Field(() => ID)
  id!: string;

  @Field(() => [String], { description: 'One sentence for each change.' })
  changes!: string[];
}

/** How the catalogue differs from a file. */
@ObjectType('CatalogueChanges')
class CatalogueChangesType implements CatalogueChanges {
  @Field(() => [EventTypeChangesType])
  changed!: EventTypeChangesType[];

  @Field(() => [ID], { description: 'Types that are not in the file. They are kept.' })
  missing!: string[];
}

/** Parsing a larger file would block the process for too long. */
const maxFileBytes = 1_048_576;

/** The catalogue of event types, with their schemas. */
@Resolver()
export class EventTypeResolver {
  @Authorized('webhooks:read')
  @Query(() => EventTypePage)
  async eventTypes(@Ctx() { read }: Context): Promise<PageOf<EventType>> {
    return { data: await listEventTypes(read), page: { hasMore: false } };
  }

  @Authorized('webhooks:read')
  @Query(() => EventTypeDefinitionType)
  async eventType(
    @Ctx() { read }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventTypeDefinition> {
    const definition = storageProblem(id) === undefined ? await findEventType(read, id) : undefined;
    if (!definition) throw notFound('event type');
    return definition;
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
    // Loaded on demand: it compiles patterns and meta-schemas, and most processes never need it.
    const { putEventType } = await import('../../domain/event-type/put-event-types.js');
    return transact(async (tx) => withBuiltInVersions(await putEventType(tx, input)));
  }

  @Authorized('internal')
  @Mutation(() => CatalogueChangesType, {
    description:
      'Adds or changes all event types of a catalogue file (YAML or JSON, at most 1 MiB), or none of them. Removes no type. With `dryRun`, changes nothing.',
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
      import('./catalogue-file.js'),
    ]);
    const inputs = parseCatalogue(file);
    return transact((tx) => applyCatalogue(tx, inputs, dryRun));
  }

  @Authorized('internal')
  @Mutation(() => EventTypeType, {
    description: 'Closes the type to new subscriptions, until `putEventType` offers it again.',
  })
  retireEventType(
    @Ctx() { transact }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventType> {
    return transact((tx) => retireEventType(tx, id));
  }

  @Authorized('internal')
  @Mutation(() => EventTypeType, {
    description: 'Permanently removes the type from the catalogue.',
  })
  unlistEventType(
    @Ctx() { transact }: Context,
    @Arg('id', () => ID) id: string,
  ): Promise<EventType> {
    return transact((tx) => unlistEventType(tx, id));
  }
}
