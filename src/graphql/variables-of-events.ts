import { type DocumentNode, parse, visit } from 'graphql';

const mutation = 'publishEvents';
const argument = 'input';

/** As in the options of the server. */
const parseOptions = { maxLexicalTokens: 1_000, noLocation: true };

/**
 * Names the variables of a document that it uses only as events of `publishEvents`, which checks each
 * event by itself.
 */
export function variablesOfEvents(text: string): ReadonlySet<string> {
  const document = text.includes(mutation) ? parsed(text) : undefined;
  const events = new Set<string>();
  const others = new Set<string>();
  let field = '';
  let isEvent = false;

  if (document) {
    visit(document, {
      VariableDefinition: () => false,
      Field({ name }) {
        field = name.value;
      },
      Argument: {
        enter({ name }) {
          isEvent = field === mutation && name.value === argument;
        },
        leave() {
          isEvent = false;
        },
      },
      Variable({ name }) {
        (isEvent ? events : others).add(name.value);
      },
    });
  }

  for (const name of others) events.delete(name);

  return events;
}

/** Undefined for a text that the server refuses, with errors that say why. */
function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text, parseOptions);
  } catch {
    return undefined;
  }
}
