import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';
import { validationFailed } from '../domain/errors.js';
import { storageProblem } from '../domain/text-issues.js';

/**
 * Refuses literals in a document that PostgreSQL or UTF-8 cannot store. Variables are validated
 * with the body.
 */
export function checkLiterals(context: ValidationContext): ASTVisitor {
  const reject = (detail: string) => {
    const originalError = validationFailed([{ code: 'invalid_value', detail }]);
    context.reportError(new GraphQLError(detail, { originalError }));
  };

  return {
    StringValue({ value }) {
      const reason = storageProblem(value);
      if (reason !== undefined) reject(reason);
    },
    ObjectField({ name }) {
      if (name.value === '__proto__') reject('Must not hold the key __proto__.');
    },
  };
}
