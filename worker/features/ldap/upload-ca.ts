import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { minuteText } from '#contract/kernel/time.ts'
import type { ldapApi } from '#contract/ldap/index.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { storeFile } from '#features/file/service.ts'
import { guardRate } from '#db/rate-limit.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { readCertificateFile } from '#outside/ldap/certificate-file.ts'

type Api = typeof ldapApi

/** PEM or DER, one certificate or several; kept as PEM. Nothing is stored of what is refused. */
export async function uploadCa(ctx: Ctx, { file }: Parsed<Api['uploadCa']>): Promise<Output<Api['uploadCa']>> {
  const { db, now } = ctx
  const read = readCertificateFile(new Uint8Array(await file.arrayBuffer()), now)
  if (read.failure === 'private_key') refuse('LDAP_CA_PRIVATE_KEY')
  if (read.failure === 'expired') refuse('LDAP_CA_FILE_EXPIRED')
  if (read.failure === 'too_many') refuse('LDAP_CA_TOO_MANY')
  if (read.failure !== null) return refuse('LDAP_CA_NOT_CERTIFICATE')
  await batch(db, { rate: guardRate(db, `ldap_ca:${requireAccountId(ctx)}`, LDAP.checkRate, now) })
  const bytes = new TextEncoder().encode(read.pem)
  const stored = await storeFile(ctx, { bytes, name: file.name, purpose: 'ldap_ca' })
  const [first] = read.certificates
  await batch(db, {
    file: stored.insert,
    audit: auditRow(ctx, {
      module: 'ldap',
      action: 'upload_ca',
      target: stored.name,
      message: `上传CA证书“${stored.name}”`,
      after: { subject: first?.subject, expire_time: minuteText(first?.notAfter ?? now) },
    }),
  })
  return {
    ca_id: stored.key,
    file_name: stored.name,
    subject: first?.name ?? '',
    expire_time: Math.min(...read.certificates.map(({ notAfter }) => notAfter)),
  }
}
