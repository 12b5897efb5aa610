import * as z from 'zod'
import type { Input } from '#contract/kernel/endpoint.ts'
import { PASSWORD_REQUIRED, toWireBoolean } from '#contract/kernel/fields.ts'
import { ldapForm, missingFields } from '#contract/ldap/form.ts'
import type { ldapApi } from '#contract/ldap/index.ts'
import { LDAP_MISSING, LDAP_SYNC } from '#contract/ldap/limits.ts'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import type { LdapConfig } from '../api.ts'

/* Form of the LDAP configuration: schema, start values and values to send. */

/** The contract's form with switches as booleans. */
const fields = ldapForm.extend({ use_ssl: z.boolean(), use_tls: z.boolean(), public_ca: z.boolean() })

/** Marks a necessary field beside all others that are wrong: by itself zod checks a form only once its fields are right. */
const markIf = (field: keyof EditValues, message: string) => ({ path: [field], message, when: () => true })

const withMissing = fields
  .refine((form) => !missingFields(form).includes('router_name'), markIf('router_name', LDAP_MISSING.router_name))
  .refine((form) => !missingFields(form).includes('ca_id'), markIf('ca_id', LDAP_MISSING.ca_id))

/** Form of a new configuration, and of a stored one, whose password may stay. */
export const EDIT_FORMS = {
  create: withMissing.refine(({ password }) => password !== '', markIf('password', PASSWORD_REQUIRED)),
  edit: withMissing,
} as const

type EditValues = z.input<typeof fields>
export type EditSent = z.output<typeof fields>
export type EditForm = ContractForm<EditValues, EditSent>

const FIELDS = Object.keys(fields.shape) as (keyof EditValues)[]
const NOT_KEPT: readonly (keyof EditValues)[] = ['password', 'ca_id', 'type']
/** Fields kept when a session runs out: never a secret. */
export const KEPT_FIELDS = FIELDS.filter((name) => !NOT_KEPT.includes(name))

/** Start values; other fields of the configuration are not sent. */
export function toValues(config: LdapConfig | null): EditValues {
  if (config === null)
    return {
      mode: 'public',
      router_name: '',
      domain: '',
      host: '',
      port: '',
      base_dn: '',
      use_ssl: true,
      use_tls: false,
      ca_id: '',
      public_ca: false,
      certificate_name: '',
      username: '',
      password: '',
      type: 1,
      user_filter: '',
      username_attribute: '',
      phone_attribute: '',
      network_number: '',
      sync_mode: LDAP_SYNC.manual,
    }
  return {
    ...config,
    use_ssl: config.use_ssl === 1,
    use_tls: config.use_tls === 1,
    public_ca: config.public_ca === 1,
    password: '',
    type: 1,
    sync_mode: config.sync_mode === LDAP_SYNC.automatic ? LDAP_SYNC.automatic : LDAP_SYNC.manual,
  }
}

/** Values to send, without those that a choice hides. */
export const toSent = (values: EditSent): Input<typeof ldapApi.save> => ({
  ...values,
  router_name: values.mode === 'private' ? values.router_name : '',
  use_ssl: toWireBoolean(values.use_ssl),
  use_tls: toWireBoolean(values.use_tls),
  public_ca: toWireBoolean(values.public_ca),
})
