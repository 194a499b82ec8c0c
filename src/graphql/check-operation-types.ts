import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';

/** Refuses operation types that the schema lacks, such as subscriptions. */
export function checkOperationTypes(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      const message = `This schema has no ${node.operation} operations.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}
