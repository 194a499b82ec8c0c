// Made by "npm run generate" from schema/internal and the documents of the clients; changes belong there.

/** The documents of `/graphql` that clients call by name. */
export const internalDocuments: ReadonlyMap<string, string> = new Map([
  ["checkout","query checkout($id: ID!, $account: ID) {\n  checkout(id: $id, account: $account) {\n    id\n    status\n    checkoutUrl\n    expiresAt\n    order {\n      id\n    }\n  }\n}"],
  ["createCheckout","mutation createCheckout($input: CreateCheckoutInput!) {\n  createCheckout(input: $input) {\n    id\n    status\n    checkoutUrl\n    expiresAt\n  }\n}"],
  ["publishEvent","mutation publishEvent($input: PublishEventInput!) {\n  publishEvent(input: $input) {\n    id\n    created\n  }\n}"],
  ["publishEvents","mutation publishEvents($input: [PublishEventInput!]!, $atomic: Boolean) {\n  publishEvents(input: $input, atomic: $atomic) {\n    id\n    created\n    error {\n      code\n      detail\n      param\n    }\n  }\n}"],
  ["recordPayment","mutation recordPayment($input: RecordPaymentInput!) {\n  recordPayment(input: $input) {\n    order {\n      id\n    }\n    payment {\n      id\n    }\n    invoice {\n      id\n    }\n    thankYouUrl\n  }\n}"],
  ["refundPayment","mutation refundPayment($id: ID!, $input: RefundPaymentInput!, $account: ID) {\n  refundPayment(id: $id, input: $input, account: $account) {\n    id\n    status\n    amountMinorUnits\n    currency\n  }\n}"],
]);

/** Known documents that graphql-jit would answer otherwise than graphql-js, and why, by id. */
export const interpreted: ReadonlyMap<string, string> = new Map([
  ["497d60d84098f9f4d5e72acb6e67a5b6811ba2fd6f32c9ba9c0fe255f4f268b7","a text"],
  ["cd6d806d1ea9cf2177c7e180c881607c0ac3d85fcce4e2a738f9b0ac880307bd","several root fields"],
  ["1c08a5817e63dc12e218f9d18c0c530df0d79b224ad922a47b37e90e6a2b1df8","resolvers below a mutation"],
  ["ecb08902654d68b62f841ddb9bd1e34389b1b0ce439c0b7e58c6bed9ad09d62e","an object"],
  ["44053e00ca02578bb18e16b3c4bdb03166a53104225072dd263a706f465471f9","several root fields"],
  ["77988754616ad518da8adfdc3894301bdf1bf9162dd1e58fb45c694a6288e3e9","several root fields"],
]);
