import 'reflect-metadata';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from './type-graphql.js';
import { authChecker } from './access.js';
import { AccountResolver } from './account/resolver.js';
import { CheckoutResolver } from './checkout/resolver.js';
import { DeliveryResolver } from './delivery/resolver.js';
import { EndpointResolver } from './endpoint/resolver.js';
import { EventResolver } from './event/resolver.js';
import { InvoiceResolver } from './invoice/resolver.js';
import { OfferResolver } from './offer/resolver.js';
import { OrderResolver } from './order/resolver.js';
import { DeadLetterResolver } from './dead-letter/resolver.js';
import { PaymentResolver } from './payment/resolver.js';
import { RefundResolver } from './refund/resolver.js';

/**
 * Builds the schema that both doors run on. No side effects: nothing is written, nothing started.
 * Input texts are judged by the domain, hence no validation here.
 */
export function buildSchema(): GraphQLSchema {
  return buildSchemaSync({
    resolvers: [
      EndpointResolver,
      DeliveryResolver,
      DeadLetterResolver,
      EventResolver,
      CheckoutResolver,
      OrderResolver,
      PaymentResolver,
      RefundResolver,
      InvoiceResolver,
      OfferResolver,
      AccountResolver,
    ],
    authChecker: authChecker,
    validate: false,
    // By a whole introspection; the first operation that is compiled has the schema validated.
    skipCheck: true,
  });
}

/** The schema as `schema/schema.graphql` shows it: sorted, so that a diff shows changes only. */
export function printSdl(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
