/** Stands where an erased address was. RFC 2606 keeps its domain from existing. */
export const erasedEmail = 'erased@erased.invalid';

/** Stands where an erased text was that cannot be empty. */
export const erasedText = 'erased';

/** The name of an account that was erased. */
export const erasedAccountName = 'Erased account';

/** In SQL: a buyer without personal data. The country stays, because taxes depend on it. */
export function erasedBuyer(buyer: string): string {
  return `json_build_object('email', '${erasedEmail}', 'name', null, 'country', ${buyer} -> 'country')`;
}
