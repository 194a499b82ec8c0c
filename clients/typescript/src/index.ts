export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type InputOf,
  type ItemOf,
  type ListPath,
  type OutputOf,
  type PathOf,
} from './client.js';
export {
  NoResponse,
  Problem,
  type ProblemCode,
  type ProblemError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  UnexpectedResponse,
} from './exchange.js';
export type { components } from './generated/types.js';
export {
  type Event,
  type EventOf,
  type EventType,
  isEvent,
  type ReceivedHeaders,
  VerificationError,
  type VerificationReason,
  verify,
} from './verify.js';
