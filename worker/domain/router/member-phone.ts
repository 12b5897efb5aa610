import { type Grants, isAllowed } from '#contract/kernel/permissions.ts'
import { maskNumber } from '#domain/account/contact.ts'

/** Phones of members are for callers who may edit members; others find nobody by them either. */
export const mayReadPhones = (grants: Grants): boolean => isAllowed('router:edit', grants)

export const shownPhone = (grants: Grants, phone: string): string => (mayReadPhones(grants) ? phone : maskNumber(phone))
