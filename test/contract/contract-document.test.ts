import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { problems } from '../../src/http/problems.js';
import { repositoryRoot } from '../support/repository.js';
import { tableRows } from '../support/contract.js';

interface Description {
  readonly paths: Record<
    string,
    Record<string, { operationId?: string; responses?: Record<string, unknown> }>
  >;
  readonly components: {
    readonly schemas: {
      readonly ProblemCode: { readonly enum: string[] };
      readonly ProblemErrorCode: { readonly anyOf: { readonly enum?: string[] }[] };
    };
  };
}

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

describe('docs/contract.md and schema/openapi.yaml', () => {
  const text = read('docs/contract.md');
  const description = parse(read('schema/openapi.yaml')) as Description;

  it('name the same operations with the same statuses', () => {
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, responses = {} }]) => {
        if (operationId === undefined) return [];
        const statuses = Object.keys(responses);
        return [
          [
            `\`${operationId}\``,
            `${method.toUpperCase()} \`${path}\``,
            statuses.filter((status) => status < '400').join(' '),
            statuses.filter((status) => status >= '400').join(' '),
          ].join(' | '),
        ];
      }),
    );

    expect(described).to.have.lengthOf.above(10);
    expect(tableRows('Operations').map((cells) => cells.join(' | '))).to.have.members(described);
  });

  it('name the same problems', () => {
    const codes = tableRows('Problems').map(([, code = '']) => code.replaceAll('`', ''));
    expect(codes).to.have.members(description.components.schemas.ProblemCode.enum);
  });

  it('give each problem the status and title that the service gives it', () => {
    const rows = tableRows('Problems').map((cells) => cells.slice(0, 3).join(' | '));
    expect(rows).to.have.members(
      Object.entries(problems).map(
        ([code, { status, title }]) => `${status} | \`${code}\` | ${title}`,
      ),
    );
  });

  it('name the same causes of a refusal', () => {
    const problems = text.split('\n## Problems\n')[1]?.split('\n## ')[0] ?? '';
    const { anyOf } = description.components.schemas.ProblemErrorCode;
    const causes = anyOf.flatMap((schema) => schema.enum ?? []);
    expect(causes).to.have.lengthOf.above(20);
    for (const cause of causes) expect(problems).to.include(`\`${cause}\``);
  });
});
