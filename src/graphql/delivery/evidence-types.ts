import { Field, Int, ObjectType } from '../type-graphql.js';
import { bodyEncodings, type ShownBody } from '../../domain/delivery/evidence.js';
import type { ShownEvidence } from '../../domain/delivery/evidence-of-deliveries.js';
import type { AttemptTimings } from '../../domain/delivery/outcome.js';
import { enumType } from '../enum-type.js';

const ResponseBodyEncoding = enumType('ResponseBodyEncoding', bodyEncodings);
type ResponseBodyEncoding = ShownBody['encoding'];

/** A header as an object. */
interface NamedHeader {
  readonly name: string;
  readonly value: string;
}

@ObjectType('HttpHeader')
class HttpHeaderType implements NamedHeader {
  @Field(() => String, { description: 'In lower case.' })
  name!: string;

  @Field(() => String)
  value!: string;
}

/** How long each phase of an attempt took. */
@ObjectType('AttemptTimings', {
  description:
    'The length of each phase in milliseconds. Null for a phase that did not end. A kept-alive connection has neither look-up, connect nor TLS.',
})
class AttemptTimingsType implements AttemptTimings {
  @Field(() => Int, { nullable: true, description: 'Looking up the host name.' })
  lookupMs!: number | null;

  @Field(() => Int, { nullable: true })
  connectMs!: number | null;

  @Field(() => Int, { nullable: true })
  tlsMs!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'From the request to the first byte of the response.',
  })
  firstByteMs!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'From the start of the attempt to its end, with the body.',
  })
  totalMs!: number | null;
}

/** The first bytes of a response's body. */
@ObjectType('ResponseBody')
class ResponseBodyType implements ShownBody {
  @Field(() => ResponseBodyEncoding, {
    description: '`hex` for a body that is compressed, or not text of its charset.',
  })
  encoding!: ResponseBodyEncoding;

  @Field(() => String, { description: 'The first 4 KiB.' })
  content!: string;

  @Field(() => Boolean, { description: 'Whether the receiver sent more.' })
  truncated!: boolean;
}

/** Evidence of an attempt, with headers as objects. */
export interface EvidenceFields extends Omit<ShownEvidence, 'requestHeaders' | 'responseHeaders'> {
  readonly requestHeaders: readonly NamedHeader[];
  readonly responseHeaders: readonly NamedHeader[] | null;
}

/** What is kept of an attempt beside its record. */
@ObjectType('DeliveryEvidence')
export class DeliveryEvidenceType implements EvidenceFields {
  @Field(() => String, {
    description: 'The URL at the time. Values of parameters such as `token` are `***`.',
  })
  url!: string;

  @Field(() => [HttpHeaderType], { description: 'Without the signatures.' })
  requestHeaders!: readonly NamedHeader[];

  @Field(() => [HttpHeaderType], {
    nullable: true,
    description:
      'The headers that show who responded and how, at most 4 KiB. Null without a response, or when responses are not kept.',
  })
  responseHeaders!: readonly NamedHeader[] | null;

  @Field(() => ResponseBodyType, {
    nullable: true,
    description:
      'Null without a response, when responses are not kept, and without the permission to read orders: receivers may repeat the event.',
  })
  responseBody!: ShownBody | null;

  @Field(() => AttemptTimingsType)
  timings!: AttemptTimings;

  @Field(() => String, {
    nullable: true,
    description: 'The IP address of the last connection attempt.',
  })
  address!: string | null;

  @Field(() => String, { nullable: true, description: 'Such as `TLSv1.3`.' })
  tlsVersion!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the attempt failed, in words. Null for a success.',
  })
  failure!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What was wrong with the response of a success, in words: the receiver left the body open, for example. Null if it was complete, and for a failure.',
  })
  warning!: string | null;
}

/**
 * Names the members of each header.
 * @param sales whether the caller may read what was sold; the body of a response may repeat it
 */
export function evidenceFields(evidence: ShownEvidence, sales: boolean): EvidenceFields {
  const headers = (pairs: ShownEvidence['requestHeaders']) =>
    pairs.map(([name, value]) => ({ name, value }));
  const { requestHeaders, responseHeaders, responseBody } = evidence;
  return {
    ...evidence,
    requestHeaders: headers(requestHeaders),
    responseHeaders: responseHeaders && headers(responseHeaders),
    responseBody: sales ? responseBody : null,
  };
}
