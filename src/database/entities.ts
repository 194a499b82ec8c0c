import { Account } from '../domain/account/account.entity.js';
import { Credential } from '../domain/account/credential.entity.js';
import { Member } from '../domain/account/member.entity.js';
import { AuditEntry } from '../domain/audit/audit-entry.entity.js';
import { Checkout } from '../domain/checkout/checkout.entity.js';
import { Invoice } from '../domain/payment/invoice.entity.js';
import { Order } from '../domain/payment/order.entity.js';
import { Payment } from '../domain/payment/payment.entity.js';
import { Refund } from '../domain/payment/refund.entity.js';
import {
  FullAccount,
  FullAccountCount,
  IsolationLock,
  Lease,
  PendingDelivery,
} from '../domain/delivery/pending-delivery.entity.js';
import {
  DeliveryEvidence,
  Delivery,
  DeliveryStatistics,
} from '../domain/delivery/delivery.entity.js';
import { EndpointRate, EndpointSecret, Endpoint } from '../domain/endpoint/endpoint.entity.js';
import { ErasureSubject } from '../domain/erasure/erasure-subject.entity.js';
import { Erasure } from '../domain/erasure/erasure.entity.js';
import { EventType, EventTypeVersion } from '../domain/event-type/event-type.entity.js';
import { Event, PublishKey } from '../domain/event/event.entity.js';
import { IdempotencyRecord } from '../domain/idempotency/idempotency-record.entity.js';
import { Notice } from '../domain/notice/notice.entity.js';
import { Offer } from '../domain/offer/offer.entity.js';
import { PortalLink } from '../domain/portal/portal-link.entity.js';
import { PortalSession } from '../domain/portal/portal-session.entity.js';
import { PortalSettings } from '../domain/portal/portal-settings.entity.js';
import { Recovery } from '../domain/recovery/recovery.entity.js';
import { MemberIdentity } from '../domain/session/member-identity.entity.js';
import { OperatorSession } from '../domain/session/operator-session.entity.js';
import { Session } from '../domain/session/session.entity.js';
import { SignInLink } from '../domain/session/sign-in-link.entity.js';
import { StreamProcess } from '../domain/stream/stream-process.entity.js';
import { StreamSlot } from '../domain/stream/stream-slot.entity.js';
import { TestEventBytes } from '../domain/test-event/test-event.entity.js';
import { WorkerHeartbeat } from '../domain/worker/worker-heartbeat.entity.js';
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
