import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';
import { validationFailed } from '../domain/errors.js';
import { unstorable } from '../domain/text.js';

/**
 * Refuses texts that PostgreSQL or UTF-8 cannot hold where a document spells them out; what comes
 * as variables is judged with the body (H92).
 */
export function refuseUnstorableText(context: ValidationContext): ASTVisitor {
  const refuse = (detail: string) => {
    const originalError = validationFailed([{ code: 'invalid_value', detail }]);
    context.reportError(new GraphQLError(detail, { originalError }));
  };
  return {
    StringValue({ value }) {
      const reason = unstorable(value);
      if (reason !== undefined) refuse(reason);
    },
    ObjectField({ name }) {
      if (name.value === '__proto__') refuse('Must not hold the key __proto__.');
    },
  };
}
