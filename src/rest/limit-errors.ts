import { _, type CodeKeywordDefinition } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import names from 'ajv/dist/compile/names.js';
import { Type } from 'ajv/dist/compile/util.js';

/**
 * Stops `items` and `additionalProperties` once `maxErrors` errors are known. Only these two can
 * find as many errors as a body has bytes. Each still reports at least one error; other keywords
 * report all of theirs.
 * @param ajv with `allErrors`; applies to schemas that it compiles afterwards
 */
export function limitErrors(ajv: Ajv2020, maxErrors: number): void {
  const limitReached = _`${names.default.errors} >= ${maxErrors}`;
  const items: CodeKeywordDefinition = {
    keyword: 'items',
    type: 'array',
    schemaType: ['object', 'boolean'],
    code(cxt) {
      const { gen, data, keyword } = cxt;
      const length = gen.const('length', _`${data}.length`);
      const valid = gen.name('valid');
      gen.forRange('i', 0, length, (index) => {
        cxt.subschema({ keyword, dataProp: index, dataPropType: Type.Num }, valid);
        gen.if(_`!${valid} && ${limitReached}`, () => gen.break());
      });
    },
  };
  const additionalProperties: CodeKeywordDefinition = {
    keyword: 'additionalProperties',
    type: 'object',
    schemaType: 'boolean',
    error: { params: ({ params }) => _`{additionalProperty: ${params['name']}}`, message: '' },
    code(cxt) {
      const { gen, data } = cxt;
      if (cxt.schema === true) return;
      const { properties = {} } = cxt.parentSchema as { readonly properties?: object };
      gen.forIn('name', data, (name) => {
        const unknown = Object.keys(properties).reduce(
          (code, known) => _`${code} && ${name} !== ${known}`,
          _`true`,
        );
        gen.if(unknown, () => {
          cxt.setParams({ name });
          cxt.error();
          gen.if(limitReached, () => gen.break());
        });
      });
    },
  };
  // If there is a meta-schema, compiles it first, so that it keeps the original keywords.
  if (ajv.opts.meta !== false) void ajv.validateSchema({});
  for (const definition of [items, additionalProperties]) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
}
