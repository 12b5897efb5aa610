import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { ldapApi } from '#contract/ldap/index.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { insertDomain, selectDomain } from './sql/config.ts'
import { guardRate } from '#db/rate-limit.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'
import { domainProof, toAsciiName } from './service.ts'

/* Proof of a domain's ownership for the directory: its check, and the file to publish. */

type Api = typeof ldapApi

/** Looks for the token at the domain. A domain that was proved once stays proved. */
export async function verifyDomain(ctx: Ctx, input: Parsed<Api['verifyDomain']>) {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const domain = toAsciiName(input.domain)
  const { token, fileName } = await domainProof(ctx, domain)
  const { domains } = await batch(db, {
    rate: guardRate(db, `ldap_verify:${accountId}`, LDAP.checkRate, now),
    domains: selectDomain(db, accountId, domain),
  })
  if (domains.length > 0) return { data: null, file_name: fileName }
  if (!(await ctx.outside.domains.isProved({ domain, fileName, token })))
    return refuse('LDAP_DOMAIN_UNPROVED', { file_name: fileName })
  await batch(db, {
    domain: insertDomain(db, accountId, domain, now),
    audit: auditRow(ctx, {
      module: 'ldap',
      action: 'verify_domain',
      target: domain,
      message: `验证域名“${domain}”`,
    }),
  })
  return { data: null, file_name: fileName }
}

export async function downloadDomainFile(ctx: Ctx, input: Parsed<Api['downloadVerifyDomain']>): Promise<FileReply> {
  const { token, fileName } = await domainProof(ctx, toAsciiName(input.domain))
  return { body: token, type: 'text/plain; charset=utf-8', name: fileName }
}
