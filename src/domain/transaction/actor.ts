/** How the author of a change has signed in. */
export type ActorKind = (typeof actorKinds)[number];
export const actorKinds = [
  'session',
  'dashboard_token',
  'api_key',
  'operator',
  'command',
  'portal',
] as const;

/** Who makes the changes of a transaction, and from where. Texts are truncated to what a row may hold. */
export interface Actor {
  readonly kind: ActorKind;
  /** The account of the credential; null for a command. */
  readonly account: string | null;
  /** The id of the session or the credential. */
  readonly credential: string | null;
  readonly member: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Where a request comes from. */
export interface Origin {
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
}

/** The caller of a request. */
interface Caller {
  readonly kind: 'live' | 'legacy' | 'dashboard' | 'internal';
  readonly account: string;
  readonly credential: string;
  readonly member: string | null;
}

/** An operator with a shell on a machine of the service. */
export const commandActor: Actor = {
  kind: 'command',
  account: null,
  credential: null,
  member: null,
  address: null,
  userAgent: null,
};

const maxAddressLength = 64;
const maxUserAgentLength = 200;

/** Returns the actor of a request. */
export function actorOf({ kind, account, credential, member }: Caller, origin: Origin): Actor {
  return { kind: kindOf(kind, credential), account, credential, member, ...placeOf(origin) };
}

/** Returns the actor of a request that signs in or out. Its member is known only later. */
export function signingActor(origin: Origin, kind: 'session' | 'operator' | 'portal'): Actor {
  return { ...commandActor, kind, ...placeOf(origin) };
}

function kindOf(kind: Caller['kind'], credential: string): ActorKind {
  if (kind === 'internal') return 'operator';
  if (kind !== 'dashboard') return 'api_key';
  if (credential.startsWith('pse_')) return 'portal';
  return credential.startsWith('ses_') ? 'session' : 'dashboard_token';
}

function placeOf({ address, userAgent }: Origin): Pick<Actor, 'address' | 'userAgent'> {
  return {
    address: address?.slice(0, maxAddressLength) ?? null,
    userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
  };
}
