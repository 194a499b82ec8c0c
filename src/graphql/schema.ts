import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from './type-graphql.js';
import { authChecker } from './access.js';
import { AccountResolver } from './account/resolver.js';
import { AdministrationResolver } from './account/administration-resolver.js';
import { AuditResolver } from './audit/resolver.js';
import { CheckoutResolver } from './checkout/resolver.js';
import { DeliveryResolver } from './delivery/resolver.js';
import { EndpointResolver } from './endpoint/resolver.js';
import { ErasureResolver } from './erasure/resolver.js';
import { EventLookupResolver } from './event/lookup-resolver.js';
import { EventResolver } from './event/resolver.js';
import { EventTypeResolver } from './event-type/resolver.js';
import { InvoiceResolver } from './invoice/resolver.js';
import { OfferResolver } from './offer/resolver.js';
import { OrderResolver } from './order/resolver.js';
import { DeadLetterResolver } from './dead-letter/resolver.js';
import { PaymentResolver } from './payment/resolver.js';
import { PortalResolver } from './portal/resolver.js';
import { RecoverableResolver } from './recovery/recoverable-resolver.js';
import { RecoveryResolver } from './recovery/resolver.js';
import { RefundResolver } from './refund/resolver.js';
import { ServiceResolver } from './service/resolver.js';
import { SessionResolver } from './account/session-resolver.js';
import { ViewerResolver } from './account/viewer-resolver.js';
import { FailuresResolver } from './statistics/failures-resolver.js';
import { StatisticsResolver } from './statistics/resolver.js';

/**
 * Builds the schema of `/graphql` and `/v1`. It has no side effects. The domain validates input
 * texts, so TypeGraphQL does not.
 */
export function buildSchema(): GraphQLSchema {
  return buildSchemaSync({
    resolvers: [
      EndpointResolver,
      DeliveryResolver,
      DeadLetterResolver,
      EventResolver,
      RecoverableResolver,
      RecoveryResolver,
      EventTypeResolver,
      EventLookupResolver,
      StatisticsResolver,
      FailuresResolver,
      CheckoutResolver,
      OrderResolver,
      PaymentResolver,
      RefundResolver,
      InvoiceResolver,
      OfferResolver,
      AccountResolver,
      AdministrationResolver,
      ErasureResolver,
      ViewerResolver,
      SessionResolver,
      AuditResolver,
      ServiceResolver,
      PortalResolver,
    ],
    authChecker: authChecker,
    validate: false,
    // Skips a full introspection; the first compiled operation validates the schema.
    skipCheck: true,
  });
}

/** Prints the schema for `schema/schema.graphql`, sorted so that a diff shows only changes. */
export function printSdl(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
