import { expect } from 'chai';
import { contract } from '../../../../src/http/rest/contract.js';
import { compileBody, limitErrors } from '../../../../src/http/rest/validation.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

const create = compileBody(contract['webhooks.endpoints.create'].body!.schema);
const update = compileBody(contract['webhooks.endpoints.update'].body!.schema);
const createOffer = compileBody(contract['commerce.offers.create'].body!.schema);
const good = {
  url: 'https://shop.example/hooks',
  event_types: ['cart.order.completed'],
  notification_email: 'ops@shop.example',
};
const issues = (body: unknown, validate = create) =>
  (validate(body)?.errors ?? []).map(({ code, param }) => `${code} ${param ?? '-'}`);

describe('compileBody', () => {
  it('accepts a body that the contract allows', () => {
    expect(create(good)).to.equal(undefined);
    expect(create({ ...good, active: false, description: null })).to.equal(undefined);
    expect(create({ ...good, description: '🎉'.repeat(500) })).to.equal(undefined);
    expect(update({})).to.equal(undefined);
    expect(update({ description: '' })).to.equal(undefined);
  });

  it('refuses a body that is missing or not an object, and names no field', () => {
    expect(issues(undefined)).to.deep.equal(['required -']);
    for (const body of [null, [], 'a', 1, true]) {
      expect(issues(body)).to.deep.equal(['invalid_type -']);
    }
  });

  it('finds all issues at once', () => {
    const body = { url: 1, event_types: [], active: 'yes', surprise: 1 };
    expect(issues(body)).to.have.members([
      'invalid_type url',
      'too_few_items event_types',
      'invalid_type active',
      'unknown_property surprise',
      'required notification_email',
    ]);
  });

  it('names the list once when its items are wrong', () => {
    expect(issues({ ...good, event_types: [1, 'a', null] })).to.deep.equal([
      'invalid_type event_types',
    ]);
  });

  it('answers a body full of issues with a smaller body', () => {
    const body = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`a${index}`, 1]));
    expect(issues(body)).to.have.length(100);
  });

  it('refuses read-only fields and __proto__ as unknown', () => {
    const body = JSON.parse(
      '{"id":"whs_1","created_at":"x","signing_secret":"s","__proto__":{"url":1}}',
    ) as unknown;
    expect(issues(body, update)).to.have.members([
      'unknown_property id',
      'unknown_property created_at',
      'unknown_property signing_secret',
      'unknown_property __proto__',
    ]);
  });

  it('reports each issue of a URL or an e-mail address once', () => {
    expect(issues({ ...good, url: 'http://shop.example' })).to.deep.equal(['invalid_format url']);
    const long = `https://shop.example/${'a'.repeat(2_048)}`;
    expect(issues({ ...good, url: long })).to.deep.equal(['too_long url']);
    expect(issues({ ...good, notification_email: 'a' })).to.deep.equal([
      'invalid_format notification_email',
    ]);
  });

  it('counts characters of the description, not UTF-16 units', () => {
    expect(issues({ ...good, description: '🎉'.repeat(501) })).to.deep.equal([
      'too_long description',
    ]);
  });

  it('refuses NUL and lone surrogates in texts and names', () => {
    expect(issues({ ...good, description: 'a\0' })).to.deep.equal(['invalid_value description']);
    expect(issues({ ...good, event_types: ['\ud800'] })).to.deep.equal([
      'invalid_value event_types',
    ]);
  });

  it('reports an issue once, and repeats no name that cannot be stored', () => {
    for (const name of ['a\0', 'a\ud800', '\udc00\ud800']) {
      const body = { ...good, [name]: 1, [`${name}b`]: { c: '\0' } };
      expect(issues(body)).to.deep.equal(['invalid_value -']);
      expect(create(body)?.wellFormed).to.equal(false);
      const item = { name: 'Course', quantity: 1, unit_amount_minor_units: 1, [name]: 1 };
      const offer = { recipient_email: 'a@shop.example', title: 'Courses', currency: 'EUR' };
      const refused = createOffer({ ...offer, line_items: [item] });
      expect(refused?.errors.map(({ code, param }) => `${code} ${param ?? '-'}`)).to.deep.equal([
        'invalid_value line_items',
      ]);
      expect(JSON.stringify(refused?.errors)).not.to.match(/\\u0000|\\ud[89a-f]/);
    }
  });

  it('refuses null everywhere but in the description (H19)', () => {
    const nulls = { url: null, event_types: null, notification_email: null, active: null };
    expect(issues({ ...nulls, description: null }, update)).to.have.members([
      'invalid_type url',
      'invalid_type event_types',
      'invalid_type notification_email',
      'invalid_type active',
    ]);
  });

  it('passes on the properties without an issue', () => {
    const validFieldsOf = (body: unknown) => create(body)?.validFields;
    expect(validFieldsOf({ ...good, url: 1, surprise: 1 })).to.deep.equal({
      event_types: good.event_types,
      notification_email: good.notification_email,
    });
    expect(validFieldsOf({ event_types: [1] })).to.deep.equal({});
    for (const body of [undefined, null, [], 'a']) expect(validFieldsOf(body)).to.deep.equal({});
    const many = Array.from({ length: 200 }, (_, index) => [`a${index}`, 1] as const);
    expect(validFieldsOf({ ...Object.fromEntries(many), event_types: 1 })).to.deep.equal({});
  });

  it('passes on no invalid value, however many issues come before it', () => {
    const { validFields } =
      create({ ...good, event_types: Array(100).fill(1), description: 7 }) ?? {};
    expect(validFields).to.deep.equal({
      url: good.url,
      notification_email: good.notification_email,
    });
    const invalid = Object.fromEntries(Object.keys(good).map((name) => [name, 7]));
    const unknown = Array.from({ length: 200 }, (_, index) => [`a${index}`, 1] as const);
    expect(create({ ...Object.fromEntries(unknown), ...invalid })?.validFields).to.deep.equal({});
  });

  it('validates values after many invalid items too', () => {
    const item = { name: 'Course', quantity: 1, unit_amount_minor_units: -1 };
    const offer = { recipient_email: 'a@shop.example', title: 'Courses', currency: 'EUR' };
    const body = { ...offer, line_items: Array(101).fill(item), expires_at: 5 };
    expect(createOffer(body)?.wellFormed).to.equal(false);
    expect(issues(body, createOffer)).to.include('invalid_type expires_at');
  });

  it('lets the domain validate only a body that GraphQL variables could hold', () => {
    expect(create({ ...good, url: 'http://a' })?.wellFormed).to.equal(true);
    expect(create({ ...good, url: 1 })?.wellFormed).to.equal(false);
    expect(create({ ...good, surprise: 1 })?.wellFormed).to.equal(false);
    expect(create({})?.wellFormed).to.equal(false);
  });
});

const validateWith = (schema: object, value: unknown) => {
  const ajv = new Ajv2020({ allErrors: true, strict: true });
  limitErrors(ajv, 10);
  const validate = ajv.compile(schema);
  const valid = validate(value);
  return { valid, errors: validate.errors ?? [] };
};
const list = { type: 'array', items: { type: 'string' } };
const closed = {
  type: 'object',
  properties: { a: { type: 'integer' }, list },
  additionalProperties: false,
};

describe('limitErrors', () => {
  it('keeps the meaning of JSON Schema', () => {
    expect(validateWith(list, ['a', 'b']).valid).to.equal(true);
    expect(validateWith(list, []).valid).to.equal(true);
    expect(
      validateWith(list, ['a', 1]).errors.map(({ instancePath }) => instancePath),
    ).to.deep.equal(['/1']);
    expect(validateWith(closed, { a: 1, list: ['a'] }).valid).to.equal(true);
    const [one] = validateWith(closed, { a: 1, b: 2 }).errors;
    expect(one?.params).to.deep.equal({ additionalProperty: 'b' });
    expect(validateWith({ type: 'object', additionalProperties: true }, { b: 2 }).valid).to.equal(
      true,
    );
  });

  it('stops looking for wrong items and members once there are many', () => {
    expect(validateWith(list, Array(100_000).fill(1)).errors).to.have.length(10);
    const members = Array.from({ length: 100_000 }, (_, index) => [`m${index}`, 1] as const);
    expect(validateWith(closed, Object.fromEntries(members)).errors).to.have.length(10);
  });

  it('finds issues elsewhere when one object has many', () => {
    const members = Array.from({ length: 100 }, (_, index) => [`m${index}`, 1] as const);
    const body = { ...Object.fromEntries(members), a: 'text', list: Array(100).fill(1) };
    const both = { type: 'object', properties: { first: closed, second: closed } };
    const paths = validateWith(both, { first: body, second: body }).errors.map(
      (e) => e.instancePath,
    );
    expect(paths).to.include.members(['/first/a', '/first/list/0', '/second/a', '/second/list/0']);
    expect(paths).to.include('/second').and.to.have.length.below(15);
  });
});
