import { Initial1764000000000 } from './0001-initial.js';
import { Notices1764000002000 } from './0002-notices.js';
import { Alone1764000003000 } from './0003-alone.js';
import { CheckoutExpiry1764000004000 } from './0004-checkout-expiry.js';
import { CommerceLedger1764000005000 } from './0005-commerce-ledger.js';
import { Offers1764000006000 } from './0006-offers.js';
import { ChainClaims1764000007000 } from './0007-chain-claims.js';
import { Leases1764000008000 } from './0008-leases.js';
import { OfferOrders1764000009000 } from './0009-offer-orders.js';
import { Mails1764000010000 } from './0010-mails.js';
import { Solitude1764000011000 } from './0011-solitude.js';
import { CancelTypes1764000012000 } from './0012-cancel-types.js';
import { Forgetting1764000013000 } from './0013-forgetting.js';
import { DeliveryKey1764000014000 } from './0014-delivery-key.js';
import { ChainByAccount1764000016000 } from './0016-chain-by-account.js';
import { GatheredNotices1764000018000 } from './0018-gathered-notices.js';
import { KeyLevels1764000019000 } from './0019-key-levels.js';

/** All migrations in order; a list, not a glob, so that it is the same under every build. */
export const migrations = [
  Initial1764000000000,
  Notices1764000002000,
  Alone1764000003000,
  CheckoutExpiry1764000004000,
  CommerceLedger1764000005000,
  Offers1764000006000,
  ChainClaims1764000007000,
  Leases1764000008000,
  OfferOrders1764000009000,
  Mails1764000010000,
  Solitude1764000011000,
  CancelTypes1764000012000,
  Forgetting1764000013000,
  DeliveryKey1764000014000,
  ChainByAccount1764000016000,
  GatheredNotices1764000018000,
  KeyLevels1764000019000,
];
