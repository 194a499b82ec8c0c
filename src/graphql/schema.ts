// The schema behind `/graphql`, `/v1` and the dashboard. Each noun has one file here: its types, and a resolver that
// calls the domain in a line or two. Rules are in the domain, permissions in access.ts.
//
// A document that the service knows is compiled (known-documents.ts, execute.ts); any other text is validated
// (validation.ts, limits.ts) and run by Apollo (server.ts). Both give a client the same bytes.
//
// No file here keeps state between requests. A crash leaves what the domain has committed.
import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { authChecker } from './access.js';
import { AccountResolver } from './account.js';
import { AuditResolver } from './audit.js';
import { CheckoutResolver } from './checkout.js';
import { CredentialResolver } from './credential.js';
import { DeadLetterResolver } from './dead-letter.js';
import { DeliveryResolver } from './delivery.js';
import { EndpointResolver } from './endpoint.js';
import { ErasureResolver } from './erasure.js';
import { EventTypeResolver } from './event-type.js';
import { EventResolver } from './event.js';
import { InvoiceResolver } from './invoice.js';
import { MemberResolver } from './member.js';
import { OfferResolver } from './offer.js';
import { OrderResolver } from './order.js';
import { PaymentResolver } from './payment.js';
import { PortalResolver } from './portal.js';
import { RecoveryResolver } from './recovery.js';
import { RefundResolver } from './refund.js';
import { ServiceResolver } from './service.js';
import { SessionResolver } from './session.js';
import { StatisticsResolver } from './statistics.js';
import { buildSchemaSync } from './type-graphql.js';
import { ViewerResolver } from './viewer.js';

/** Builds the schema. TypeGraphQL validates no input: the domain does. */
export function buildSchema(): GraphQLSchema {
  return buildSchemaSync({
    resolvers: [
      AccountResolver,
      AuditResolver,
      CheckoutResolver,
      CredentialResolver,
      DeadLetterResolver,
      DeliveryResolver,
      EndpointResolver,
      ErasureResolver,
      EventResolver,
      EventTypeResolver,
      InvoiceResolver,
      MemberResolver,
      OfferResolver,
      OrderResolver,
      PaymentResolver,
      PortalResolver,
      RecoveryResolver,
      RefundResolver,
      ServiceResolver,
      SessionResolver,
      StatisticsResolver,
      ViewerResolver,
    ],
    authChecker,
    validate: false,
    // Skips a full introspection; the first compiled operation validates the schema.
    skipCheck: true,
  });
}

/** Prints the schema for `schema/schema.graphql`, sorted so that a diff shows only changes. */
export function printSdl(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
