import typeGraphQL = require('type-graphql');

// Required: its CommonJS files load in half the time of its modules (ADR 0020).

/** The decorators of types and resolvers, and what makes a schema of them, from TypeGraphQL. */
export const {
  Arg,
  Args,
  ArgsType,
  Authorized,
  buildSchemaSync,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} = typeGraphQL;
