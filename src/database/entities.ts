import { Account, Credential, Member } from '../domain/account/account.entity.js';
import { AuditEntry } from '../domain/audit/audit-entry.entity.js';
import { Checkout } from '../domain/checkout/checkout.entity.js';
import { Invoice, Order, Payment, Refund } from '../domain/payment/ledger.entity.js';
import {
  FullAccount,
  FullAccountCount,
  IsolationLock,
  Lease,
  PendingDelivery,
  DeliveryEvidence,
  Delivery,
  DeliveryStatistics,
} from '../domain/delivery/delivery.entity.js';
import { EndpointRate, EndpointSecret, Endpoint } from '../domain/endpoint/endpoint.entity.js';
import { ErasureSubject, Erasure } from '../domain/erasure/erasure.entity.js';
import { EventType, EventTypeVersion } from '../domain/event-type/event-type.entity.js';
import { Event, PublishKey } from '../domain/event/event.entity.js';
import { IdempotencyRecord } from '../domain/idempotency-records.js';
import { Notice } from '../domain/notice/notice.entity.js';
import { Offer } from '../domain/offer/offer.entity.js';
import { PortalLink, PortalSession, PortalSettings } from '../domain/portal/portal.entity.js';
import { Recovery } from '../domain/recovery/recovery.entity.js';
import {
  MemberIdentity,
  OperatorSession,
  Session,
  SignInLink,
} from '../domain/session/session.entity.js';
import { StreamProcess, StreamSlot } from '../domain/stream/slots.js';
import { TestEventBytes } from '../domain/test-event/test-event.js';
import { WorkerHeartbeat } from '../domain/heartbeats.js';
import { SchemaCompatibility } from './schema-compatibility.entity.js';

/** All entities, as a list and not a glob, so that every build has the same. */
export const entities: (new () => object)[] = [
  Account,
  Credential,
  Member,
  Checkout,
  Invoice,
  Order,
  Payment,
  Refund,
  EndpointRate,
  EndpointSecret,
  Endpoint,
  EventType,
  EventTypeVersion,
  Event,
  PublishKey,
  PendingDelivery,
  Lease,
  Delivery,
  DeliveryEvidence,
  FullAccount,
  FullAccountCount,
  IsolationLock,
  DeliveryStatistics,
  IdempotencyRecord,
  Notice,
  Offer,
  Recovery,
  Erasure,
  ErasureSubject,
  MemberIdentity,
  Session,
  OperatorSession,
  SignInLink,
  PortalLink,
  PortalSession,
  PortalSettings,
  StreamProcess,
  StreamSlot,
  WorkerHeartbeat,
  AuditEntry,
  SchemaCompatibility,
  TestEventBytes,
];
