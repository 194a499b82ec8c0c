import { z } from 'zod';

/** An absolute URL of one of these protocols, such as `https:`. */
export const serviceUrl = (protocols: readonly string[]) =>
  z.string().refine(
    (text) => {
      try {
        return protocols.includes(new URL(text).protocol);
      } catch {
        return false;
      }
    },
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );

const plainUrl = (protocols: readonly string[]) =>
  serviceUrl(protocols).refine((text) => {
    if (!URL.canParse(text)) return true;
    const { username, password } = new URL(text);
    return username === '' && password === '' && !/[?#]/.test(text);
  }, 'must have no user, password, query or fragment');

/** An http or https URL to which paths are appended, without user, query or fragment. */
export const baseAddress = plainUrl(['http:', 'https:']);

/** The https URL of an OpenID provider. */
export const issuer = plainUrl(['https:']);
