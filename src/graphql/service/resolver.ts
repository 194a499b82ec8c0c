import { Arg, Authorized, Ctx, Query, Resolver } from '../type-graphql.js';
import type { ServiceFacts } from '../../domain/service/engine-facts.js';
import { type IdLookup, lookUpId } from '../../domain/service/look-up-id.js';
import type { Context } from '../context.js';
import { IdLookupType, ServiceStatusType } from './types.js';

type Dependencies = ServiceFacts['dependencies'];

/** The facts with lists in place of records. */
interface ShownStatus extends Omit<ServiceFacts, 'dependencies' | 'queueDepths'> {
  readonly dependencies: readonly {
    readonly name: string;
    readonly state: Dependencies[string];
  }[];
  readonly queueDepths: readonly { readonly kind: string; readonly depth: number }[] | null;
}

/** How the whole service does, for operators. */
@Resolver()
export class ServiceResolver {
  @Authorized('internal')
  @Query(() => ServiceStatusType)
  async serviceStatus(@Ctx() { serviceFacts }: Context): Promise<ShownStatus> {
    if (!serviceFacts) throw new Error('Only the internal listener reads the status.');
    const { dependencies, queueDepths, ...facts } = await serviceFacts();
    return {
      ...facts,
      dependencies: Object.entries(dependencies).map(([name, state]) => ({ name, state })),
      queueDepths:
        queueDepths && Object.entries(queueDepths).map(([kind, depth]) => ({ kind, depth })),
    };
  }
  @Authorized('internal')
  @Query(() => IdLookupType, {
    nullable: true,
    description: 'What an id of any account names. Null for a text without an id of the service.',
  })
  async lookUpId(
    @Ctx() { read }: Context,
    @Arg('text', () => String, {
      description: 'The id, or a text that holds it, such as a URL or the Message-ID of a mail.',
    })
    text: string,
  ): Promise<IdLookup | null> {
    return (await lookUpId(read, text)) ?? null;
  }
}
