import { _, type CodeKeywordDefinition } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import names from 'ajv/dist/compile/names.js';
import { Type } from 'ajv/dist/compile/util.js';

/**
 * Makes the two keywords that can find as many faults as a body has bytes stop looking once `most`
 * errors are known. Each still names one at least, and every other keyword says all it has to say.
 * @param ajv with `allErrors`; what it compiles afterwards is bounded
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
  // Compiles the schema of schemas, where there is one, which stays as it was.
  if (ajv.opts.meta !== false) void ajv.validateSchema({});
  for (const definition of [items, additionalProperties]) {
    ajv.removeKeyword(definition.keyword as string);
    ajv.addKeyword(definition);
  }
}
