import { Ctx, FieldResolver, Resolver, Root } from '../type-graphql.js';
import { previewRecovery, type RecoveryPreview } from '../../domain/recovery/change-recovery.js';
import type { Context } from '../context.js';
import type { ShownHealth } from '../statistics/resolver.js';
import { EndpointHealthType } from '../statistics/types.js';
import { RecoveryPreviewType } from './types.js';

/** What a recovery could get back, beside the health of an endpoint. */
@Resolver(() => EndpointHealthType)
export class RecoverableResolver {
  @FieldResolver(() => RecoveryPreviewType, {
    description:
      'What a recovery since its latest success would send. Reads at most 10,000 events. Enable an inactive endpoint first.',
  })
  recoverable(@Root() health: ShownHealth, @Ctx() context: Context): Promise<RecoveryPreview> {
    const { id: endpointId, account, lastSuccessAt: since } = health;
    return previewRecovery(context.read, account, { endpointId, what: 'both', since });
  }
}
