// Made by "npm run generate" from src/database/migrations.
import type { MigrationInterface } from 'typeorm';
import { Baseline1795392000000 } from '../migrations/0001-baseline.js';
import { CredentialNotifications1795395600000 } from '../migrations/0002-credential-notifications.js';
import { DeliveryEvidence1795399200000 } from '../migrations/0003-delivery-evidence.js';
import { DeliveryStatistics1795402800000 } from '../migrations/0004-delivery-statistics.js';
import { EventTypeVersions1795406400000 } from '../migrations/0005-event-type-versions.js';
import { Recoveries1795410000000 } from '../migrations/0006-recoveries.js';
import { EndpointWarnings1795413600000 } from '../migrations/0007-endpoint-warnings.js';
import { FullAccounts1795420800000 } from '../migrations/0009-full-accounts.js';
import { EndpointRates1795424400000 } from '../migrations/0010-endpoint-rates.js';
import { Erasures1795428000000 } from '../migrations/0011-erasures.js';
import { Stream1795431600000 } from '../migrations/0012-stream.js';
import { SearchIndexes1795435200000 } from '../migrations/0013-search-indexes.js';
import { Sessions1795438800000 } from '../migrations/0014-sessions.js';
import { AccountOrder1795442400000 } from '../migrations/0015-account-order.js';
import { PendingBytes1795446000000 } from '../migrations/0016-pending-bytes.js';
import { AuditLog1795449600000 } from '../migrations/0017-audit-log.js';
import { WorkerHeartbeats1795453200000 } from '../migrations/0018-worker-heartbeats.js';
import { StreamSlots1795460400000 } from '../migrations/0020-stream-slots.js';
import { MemberIdentities1795464000000 } from '../migrations/0021-member-identities.js';
import { SchemaCompatibility1795467600000 } from '../migrations/0022-schema-compatibility.js';
import { Traceparent1795471200000 } from '../migrations/0023-traceparent.js';
import { Portal1795474800000 } from '../migrations/0024-portal.js';
import { OperatorPages1795478400000 } from '../migrations/0025-operator-pages.js';
import { LastUse1795482000000 } from '../migrations/0026-last-use.js';
import { AccountNames1795485600000 } from '../migrations/0027-account-names.js';
import { Revocations1795489200000 } from '../migrations/0028-revocations.js';
import { People1795492800000 } from '../migrations/0029-people.js';
import { TestEvents1795496400000 } from '../migrations/0030-test-events.js';
import { Mailboxes1795500000000 } from '../migrations/0031-mailboxes.js';
import { SaleDates1795503600000 } from '../migrations/0032-sale-dates.js';
import { EndpointResumed1795507200000 } from '../migrations/0033-endpoint-resumed.js';
import { ErasuresOfThisRelease1795510800000 } from '../migrations/0034-erasures-of-this-release.js';
import { EndpointFilters1795514400000 } from '../migrations/0035-endpoint-filters.js';
import { SubjectOrder1795518000000 } from '../migrations/0036-subject-order.js';
import { EndpointHeaders1795521600000 } from '../migrations/0037-endpoint-headers.js';
import { RetrySchedules1795525200000 } from '../migrations/0038-retry-schedules.js';
import { EndpointKeyPairs1795528800000 } from '../migrations/0039-endpoint-key-pairs.js';

/** All migrations in order, as a list and not a glob, so that every build has the same. */
export const migrations: (new () => MigrationInterface)[] = [
  Baseline1795392000000,
  CredentialNotifications1795395600000,
  DeliveryEvidence1795399200000,
  DeliveryStatistics1795402800000,
  EventTypeVersions1795406400000,
  Recoveries1795410000000,
  EndpointWarnings1795413600000,
  FullAccounts1795420800000,
  EndpointRates1795424400000,
  Erasures1795428000000,
  Stream1795431600000,
  SearchIndexes1795435200000,
  Sessions1795438800000,
  AccountOrder1795442400000,
  PendingBytes1795446000000,
  AuditLog1795449600000,
  WorkerHeartbeats1795453200000,
  StreamSlots1795460400000,
  MemberIdentities1795464000000,
  SchemaCompatibility1795467600000,
  Traceparent1795471200000,
  Portal1795474800000,
  OperatorPages1795478400000,
  LastUse1795482000000,
  AccountNames1795485600000,
  Revocations1795489200000,
  People1795492800000,
  TestEvents1795496400000,
  Mailboxes1795500000000,
  SaleDates1795503600000,
  EndpointResumed1795507200000,
  ErasuresOfThisRelease1795510800000,
  EndpointFilters1795514400000,
  SubjectOrder1795518000000,
  EndpointHeaders1795521600000,
  RetrySchedules1795525200000,
  EndpointKeyPairs1795528800000,
];
