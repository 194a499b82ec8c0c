import { Field, Float, Int, ObjectType } from '../type-graphql.js';
import type { AccountTotals } from '../../domain/account/accounts.js';
import { pageType } from '../cursor-page.js';
import { DateTime } from '../scalars.js';
import { AccountType } from './types.js';

export const AccountPage = pageType('AccountPage', AccountType);

/** How much an account has. */
@ObjectType('AccountTotals', {
  description: 'What an account has. Each count is at most 1,000, unless its field says otherwise.',
})
export class AccountTotalsType implements AccountTotals {
  @Field(() => Int)
  members!: number;

  @Field(() => Int, { description: 'API keys that are not revoked.' })
  apiKeys!: number;

  @Field(() => Int)
  endpoints!: number;

  @Field(() => Int, { description: 'Open pending deliveries, counted up to 10,000.' })
  pending!: number;

  @Field(() => Boolean, { description: 'False when there are more than 10,000.' })
  pendingIsComplete!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the account reached a limit. Its events are refused since then.',
  })
  fullSince!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Pending deliveries at the last count. Null while the account is below its limit.',
  })
  fullDeliveries!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Bytes that the pending deliveries send, at the last count. Null while the account is below its limit.',
  })
  fullBytes!: number | null;
}
