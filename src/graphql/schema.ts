// The schema behind `/graphql`, `/v1` and the dashboard. Each noun has one file in `resolvers`: its types, and a resolver
// that calls the domain in a line or two. Rules are in the domain, permissions in access.ts.
//
// `src/http` runs operations: a document that the service knows is compiled (execute.ts); any other text is validated
// (validation.ts, limits.ts) and run by Apollo. Both give a client the same bytes.
//
// No file here keeps state between requests. A crash leaves what the domain has committed.
import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { authChecker } from './access.js';
import { AccountResolver } from './resolvers/account.js';
import { AuditResolver } from './resolvers/audit.js';
import { CheckoutResolver } from './resolvers/checkout.js';
import { CredentialResolver } from './resolvers/credential.js';
import { DeadLetterResolver } from './resolvers/dead-letter.js';
import { DeliveryResolver } from './resolvers/delivery.js';
import { EndpointOptionsResolver } from './resolvers/endpoint-options.js';
import { EndpointResolver } from './resolvers/endpoint.js';
import { ErasureResolver } from './resolvers/erasure.js';
import { EventTypeResolver } from './resolvers/event-type.js';
import { EventResolver } from './resolvers/event.js';
import { InvoiceResolver } from './resolvers/invoice.js';
import { MemberResolver } from './resolvers/member.js';
import { OfferResolver } from './resolvers/offer.js';
import { OrderResolver } from './resolvers/order.js';
import { PaymentResolver } from './resolvers/payment.js';
import { PortalResolver } from './resolvers/portal.js';
import { RecoveryResolver } from './resolvers/recovery.js';
import { RefundResolver } from './resolvers/refund.js';
import { ServiceResolver } from './resolvers/service.js';
import { SessionResolver } from './resolvers/session.js';
import { StatisticsResolver } from './resolvers/statistics.js';
import { SubjectOrderResolver } from './resolvers/subject-order.js';
import { ViewerResolver } from './resolvers/viewer.js';
import { buildSchemaSync } from './type-graphql.js';

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
      EndpointOptionsResolver,
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
      SubjectOrderResolver,
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
