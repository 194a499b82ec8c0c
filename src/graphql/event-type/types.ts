import { Field, ID, InputType, ObjectType, registerEnumType } from '../type-graphql.js';
import type {
  EventTypeDefinition,
  EventTypeInput,
  EventTypeVersionContent,
} from '../../domain/event-type/definitions.js';
import type { CatalogueChanges, PutResult } from '../../domain/event-type/put-event-types.js';
import { Json } from '../scalars.js';

/** What the service does with published data that breaks its schema. */
export enum EventValidation {
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
export class EventTypeVersionType implements EventTypeVersionContent {
  @Field(() => String)
  version!: string;

  @Field(() => Json, { description: 'JSON Schema 2020-12, as served at `dataschema`.' })
  schema!: Record<string, unknown>;

  @Field(() => Json, {
    description: 'Data that fits the schema; a test event sends it with ids of its own.',
  })
  example!: Record<string, unknown>;
}

/** An event type with its schemas. */
@ObjectType('EventTypeDefinition')
export class EventTypeDefinitionType implements EventTypeDefinition {
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
export class EventTypeVersionInput implements EventTypeVersionContent {
  @Field(() => String, { description: 'Such as `v1`.' })
  version!: string;

  @Field(() => Json, { description: 'JSON Schema 2020-12 of the data.' })
  schema!: Record<string, unknown>;

  @Field(() => Json, { description: 'Data that fits the schema; a test event sends it.' })
  example!: Record<string, unknown>;
}

@InputType('PutEventTypeInput')
export class PutEventTypeInput implements EventTypeInput {
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
export class EventTypeChangesType implements PutResult {
  @Field(() => ID)
  id!: string;

  @Field(() => [String], { description: 'One sentence for each change.' })
  changes!: string[];
}

/** How the catalogue differs from a file. */
@ObjectType('CatalogueChanges')
export class CatalogueChangesType implements CatalogueChanges {
  @Field(() => [EventTypeChangesType])
  changed!: EventTypeChangesType[];

  @Field(() => [ID], { description: 'Types that the file does not name; they stay.' })
  missing!: string[];
}
