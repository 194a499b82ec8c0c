import typeGraphQL = require('type-graphql');

// With `require`: its CommonJS files load in half the time of its ES modules (ADR 0020).

/** The decorators of types and resolvers, and the schema builder of TypeGraphQL. */
export const {
  Arg,
  Args,
  ArgsType,
  Authorized,
  buildSchemaSync,
  createParameterDecorator,
  Ctx,
  Field,
  FieldResolver,
  Float,
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
