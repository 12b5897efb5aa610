import { DOMAIN_BAD } from '#contract/ldap/domain-name.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { hmac } from '#security/secrets.ts'

/* Domain names of a customer, for the directory and authentication sources: ASCII form, and proof of ownership. */

/** ASCII form of an international name, as in DNS. The input schema has checked its shape. */
export function toAsciiName(domain: string, field = 'domain'): string {
  const name = URL.parse(`https://${domain}`)?.hostname
  return name ?? refuse('INPUT_INVALID', { reason: DOMAIN_BAD }, field)
}

/** File name and token that prove a domain. They are this account's only, and the same at every call. */
export async function domainProof(ctx: Ctx, domain: string) {
  const accountId = requireAccountId(ctx)
  const token = await hmac(ctx.env.HMAC_SECRET, `ldap_domain:${accountId}:${domain}`)
  const name = await hmac(ctx.env.HMAC_SECRET, `ldap_file:${accountId}:${domain}`)
  return { token, fileName: `netloom-${name.replace(/[^A-Za-z0-9]/g, '').slice(0, 16)}.txt` }
}
