import type { RequiredPermission } from './access.js';
import typeGraphQL = require('type-graphql');

// With `require`: its CommonJS files load in half the time of its ES modules (ADR 0020).

/** The decorators of types and resolvers, and the schema builder of TypeGraphQL. */
export const {
  Arg,
  Args,
  ArgsType,
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
  Query,
  registerEnumType,
  Resolver,
  Root,
} = typeGraphQL;

/** The decorator of what requires a permission. */
export const Authorized = typeGraphQL.Authorized<RequiredPermission>;

/** The decorator of object types. Fields without a resolver are members of the object. */
export function ObjectType(name: string, options: { readonly description?: string } = {}) {
  return typeGraphQL.ObjectType(name, { simpleResolvers: true, ...options });
}
