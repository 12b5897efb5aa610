/* Services that an account buys: kinds, states, warning days, base quotas. */

export const SERVICE_KINDS = ['network_member', 'center', 'software_member', 'sub_account', 'bandwidth'] as const
export type ServiceKind = (typeof SERVICE_KINDS)[number]
/** States of a service by its term. It is `ending` in the last days of the term (HEALTH.serviceDays). */
export const SERVICE_STATES = ['pending', 'active', 'ending', 'expired'] as const
export type ServiceState = (typeof SERVICE_STATES)[number]
/** Days before the end of a term on which the account is warned; 0 is the end. */
export const SERVICE_WARNING_DAYS = [30, 7, 1, 0] as const
export const SERVICE_QUANTITY_MAX = 1_000_000
/** Quotas of a new account before any service is bought. */
export const BASE_QUOTA: Readonly<Record<ServiceKind, number>> = {
  network_member: 0,
  center: 2,
  software_member: 0,
  sub_account: 0,
  bandwidth: 0,
}
