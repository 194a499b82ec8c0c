import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

/** Refuses operations of a type that the schema does not have: subscriptions. */
export function checkOperationTypes(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      const message = `This schema has no operations of type ${node.operation}.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}
