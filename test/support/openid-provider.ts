import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { testAuthority } from './authority.js';

/** A person whom the provider knows by the name typed at its login. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** An OpenID provider on this machine. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** Settings of a service that signs members in here. */
  readonly environment: Readonly<Record<string, string>>;
  /** By the name that they type. */
  readonly people: Map<string, ProviderPerson>;
  /** Lets this service send browsers; set it before the first one comes. */
  readonly redirectUris: string[];
  close(): Promise<void>;
}

const clientId = 'signalpost';
const clientSecret = 'a secret that only the service and the provider have';

/**
 * Starts a provider that asks for a name and any password.
 * @param claimsInToken whether the address is in the ID token; else the service has to ask for it
 */
export async function startOpenIdProvider({ claimsInToken = false } = {}): Promise<OpenIdProvider> {
  let handle: ReturnType<Provider['callback']> | undefined;
  const authority = await testAuthority();
  const server = createServer(
    await authority.issue(),
    (request, response) => void handle?.(request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, ProviderPerson>();
  const redirectUris: string[] = [];
  // Made at the first request, because the service chooses its port when it starts.
  const make = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: redirectUris,
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: !claimsInToken,
      cookies: { keys: ['of the test'] },
      pkce: { required: () => true },
      findAccount: (_context, name) => {
        const person = people.get(name);
        return person && accountOf(name, person);
      },
      // The person agrees.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId,
          ...(oidc.session?.accountId !== undefined && { accountId: oidc.session.accountId }),
        });
        grant.addOIDCScope('openid email');
        await grant.save();
        return grant;
      },
    });
  handle = (request, response) => {
    const callback = make().callback();
    handle = callback;
    return callback(request, response);
  };
  return {
    issuer,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      NODE_EXTRA_CA_CERTS: authority.caFile,
    },
    people,
    redirectUris,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * The provider names its person by the id of the account, and keeps that from step to step. So the id is the sub
 * only where claims are made of it: a sub may be one that no provider should have.
 */
function accountOf(name: string, person: ProviderPerson) {
  let isClaim = false;
  return {
    get accountId() {
      const id = isClaim ? person.sub : name;
      isClaim = false;
      return id;
    },
    claims: () => {
      isClaim = true;
      return Promise.resolve({ ...person });
    },
  };
}
