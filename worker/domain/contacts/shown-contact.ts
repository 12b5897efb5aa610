import { type Access, type Grants, isAllowed } from '#contract/kernel/permissions.ts'
import { maskEmail } from '#domain/account/contact.ts'

/* Masking of contacts: who is mailed at night concerns those who see alerts or edit contacts. */

const READERS: readonly Access[] = ['monitor:view', 'monitor:edit:all']

export const mayReadContacts = (grants: Grants): boolean => READERS.some((access) => isAllowed(access, grants))

/** '张**' */
const maskName = (name: string): string => `${[...name][0] ?? ''}**`

export const shownContact = <C extends { readonly name: string; readonly email: string }>(
  grants: Grants,
  contact: C,
): C =>
  mayReadContacts(grants) ? contact : { ...contact, name: maskName(contact.name), email: maskEmail(contact.email) }
