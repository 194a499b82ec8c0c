/** Returns the address of a link. Its secret is the fragment, which no server or log sees. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/dashboard/sign-in#${token}`;
}
