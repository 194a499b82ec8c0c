import type { Backlog, LaneBacklog } from '../../domain/delivery/backlog.js';
import { lanes } from '../../domain/delivery/claim.js';
import type { RecentOutcomes } from '../../domain/delivery/statistics.js';
import type { AliveWorker } from '../../domain/worker/heartbeats.js';
import type { NoticeBacklog } from '../../domain/notice/notices.js';
import type { ActiveRecoveries } from '../../domain/recovery/recoveries.js';
import type { ServiceFacts } from '../../domain/service/engine-facts.js';
import { type IdKind, idKinds, type IdLookup, lookUpId } from '../../domain/service/look-up-id.js';
import { Authorized } from '../access.js';
import type { Context } from '../context.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  enumType,
  Field,
  Float,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';

const DependencyState = enumType('DependencyState', ['ok', 'away', 'missing', 'refused'], {
  description:
    '`missing`: it answers, but lacks something that the service needs. `refused`: PostgreSQL refused a write in ' +
    'the last minute, because its disk is full or because it is read-only.',
});

const Lane = enumType('Lane', lanes, {
  description: 'Workers claim the deliveries of each lane separately.',
});

/** A system that the service depends on. */
@ObjectType('Dependency')
class DependencyType {
  @Field(() => String)
  name!: string;

  @Field(() => DependencyState)
  state!: keyof typeof DependencyState;
}

/** A worker that is alive. */
@ObjectType('Worker')
class WorkerType implements AliveWorker {
  @Field(() => ID, { description: 'Host, process id and random digits.' })
  id!: string;

  @Field(() => [String])
  roles!: string[];

  @Field(() => String, { nullable: true, description: 'The version of its release.' })
  version!: string | null;

  @Field(() => DateTime)
  startedAt!: Date;

  @Field(() => Float, { description: 'How many seconds ago it polled.' })
  seenSeconds!: number;
}

/** The backlog of one lane, of all accounts. */
@ObjectType('LaneBacklog')
class LaneBacklogType implements LaneBacklog {
  @Field(() => Lane)
  lane!: LaneBacklog['lane'];

  @Field(() => Int, { description: 'Due and not claimed.' })
  ready!: number;

  @Field(() => Int)
  claimed!: number;

  @Field(() => Boolean, { description: 'False when the lane has more than 25,000.' })
  complete!: boolean;

  @Field(() => Float, {
    description:
      'Seconds by which the oldest deliverable delivery is overdue. 0 if there is none. Leaves out endpoints that fail, are inactive or have a rate limit.',
  })
  oldestDueSeconds!: number;

  @Field(() => Float, {
    description: 'Seconds by which the oldest delivery is overdue. 0 if there is none.',
  })
  oldestBacklogSeconds!: number;
}

/** Open pending deliveries of all accounts. */
@ObjectType('ServiceBacklog', {
  description: 'Open pending deliveries of all accounts. Each count is at most 100,000.',
})
class ServiceBacklogType implements Backlog {
  @Field(() => Int, { description: 'Due and not claimed.' })
  ready!: number;

  @Field(() => Int)
  claimed!: number;

  @Field(() => Int, { description: 'Waiting for their next attempt.' })
  waiting!: number;

  @Field(() => Int)
  isolated!: number;

  @Field(() => Int, { description: 'Dead letters.' })
  deadLettered!: number;

  @Field(() => Float)
  oldestDueSeconds!: number;

  @Field(() => Float)
  oldestBacklogSeconds!: number;
}

/** Notices that have not been sent. */
@ObjectType('NoticeBacklog', { description: 'At most 10,000 are counted.' })
class NoticeBacklogType implements NoticeBacklog {
  @Field(() => Int)
  pending!: number;

  @Field(() => Int, { description: 'They are not sent again.' })
  refused!: number;

  @Field(() => Float)
  oldestPendingSeconds!: number;
}

/** Recoveries that have not ended. */
@ObjectType('ActiveRecoveries')
class ActiveRecoveriesType implements ActiveRecoveries {
  @Field(() => Int)
  running!: number;

  @Field(() => Int)
  paused!: number;
}

/** How attempts of all accounts ended. */
@ObjectType('RecentOutcomes')
class RecentOutcomesType implements RecentOutcomes {
  @Field(() => DateTime, { description: 'The beginning of the hour before this one.' })
  since!: Date;

  @Field(() => Float)
  success!: number;

  @Field(() => Float)
  failed!: number;

  @Field(() => Float)
  abandoned!: number;

  @Field(() => Boolean, { description: 'False when there were more endpoints than were read.' })
  complete!: boolean;
}

/** Wake-ups that wait in the queue. */
@ObjectType('QueueDepth')
class QueueDepthType {
  @Field(() => String)
  kind!: string;

  @Field(() => Int)
  depth!: number;
}

/** Workers, backlog and dependencies of the whole service. */
@ObjectType('ServiceStatus', {
  description: 'At most two seconds old. A part that cannot be read is null.',
})
class ServiceStatusType {
  @Field(() => Boolean, {
    description: 'Whether the API that answers is ready, as `/readyz` says.',
  })
  ready!: boolean;

  @Field(() => [DependencyType])
  dependencies!: DependencyType[];

  @Field(() => [WorkerType], { nullable: true })
  workers!: readonly AliveWorker[] | null;

  @Field(() => [LaneBacklogType], { nullable: true })
  lanes!: readonly LaneBacklog[] | null;

  @Field(() => ServiceBacklogType, { nullable: true })
  backlog!: Backlog | null;

  @Field(() => NoticeBacklogType, { nullable: true })
  notices!: NoticeBacklog | null;

  @Field(() => ActiveRecoveriesType, { nullable: true })
  recoveries!: ActiveRecoveries | null;

  @Field(() => Int, { nullable: true, description: 'Accounts whose events are refused.' })
  fullAccounts!: number | null;

  @Field(() => RecentOutcomesType, { nullable: true })
  outcomes!: RecentOutcomes | null;

  @Field(() => [QueueDepthType], { nullable: true })
  queueDepths!: QueueDepthType[] | null;
}

const IdKindEnum = enumType('IdKind', idKinds, {
  description: 'The kind of object that an id names, by its prefix.',
});

/** What the service knows about one of its ids. */
@ObjectType('IdLookup')
class IdLookupType implements IdLookup {
  @Field(() => ID)
  id!: string;

  @Field(() => IdKindEnum)
  kind!: IdKind;

  @Field(() => Boolean, {
    description: 'False if no object has this id, now or ever. Always false for a request.',
  })
  found!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: 'The time in the id, even if its object no longer exists.',
  })
  madeAt!: Date | null;

  @Field(() => ID, { nullable: true })
  accountId!: string | null;

  @Field(() => String, { nullable: true })
  accountName!: string | null;

  @Field(() => ID, { nullable: true })
  endpointId!: string | null;

  @Field(() => ID, { nullable: true, description: '`eventTrail` shows its deliveries.' })
  eventId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The object that it belongs to or is about, such as the member of a session.',
  })
  resourceId!: string | null;

  @Field(() => String, { nullable: true, description: 'The subject of the events about it.' })
  subject!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'For a request, the command that finds it in the logs.',
  })
  logQuery!: string | null;
}

type Dependencies = ServiceFacts['dependencies'];

/** The facts, with lists in place of records. */
interface StatusView extends Omit<ServiceFacts, 'dependencies' | 'queueDepths'> {
  readonly dependencies: readonly {
    readonly name: string;
    readonly state: Dependencies[string];
  }[];
  readonly queueDepths: readonly { readonly kind: string; readonly depth: number }[] | null;
}

/** The status of the whole service and look-ups of any id, for operators. */
@Resolver()
export class ServiceResolver {
  @Authorized('internal')
  @Query(() => ServiceStatusType)
  async serviceStatus(@Ctx() { serviceFacts }: Context): Promise<StatusView> {
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
    description:
      'The object that an id of any account names. Null if the text contains no id of the service.',
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
