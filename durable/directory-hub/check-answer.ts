import { createHash } from 'node:crypto'
import type { CheckAnswer, DirectoryCandidate } from '#contract/ldap/hub.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import type { DirectoryEntry } from '#domain/ldap/directory-entry.ts'
import type { DirectoryValues } from '#domain/ldap/form.ts'
import { toMembers } from '#domain/ldap/mapping.ts'
import { type Plan, VERIFY } from '#domain/ldap/plan.ts'
import type { DirectoryServer } from '#outside/ldap/connection.ts'

/** Answer of a connection check: the server, and the first users as they would be imported. */
export function toCheckAnswer(
  { kind, tlsVersion, certificate }: DirectoryServer,
  users: readonly DirectoryEntry[],
  { rows }: Plan,
): CheckAnswer {
  const fields = toMembers(users)
  return {
    server: kind,
    tls: tlsVersion ?? '',
    certificate: certificate && {
      subject: certificate.subject,
      issuer: certificate.issuer,
      expire_time: certificate.notAfter,
    },
    count: users.length,
    sample: rows
      .flatMap(({ uuid, username, verify }) => {
        const member = fields.get(uuid)
        return member ? [{ username, note: member.note, phone: member.phone, verify: VERIFY[verify] }] : []
      })
      .slice(0, LDAP.sample),
  }
}

const FIELDS = [
  'mode',
  'routerId',
  'domain',
  'host',
  'port',
  'baseDn',
  'security',
  'caKey',
  'certificateName',
  'username',
  'userFilter',
  'usernameAttribute',
  'phoneAttribute',
] as const satisfies readonly (keyof DirectoryValues)[]

/** Digest of the values that a check was of: saving takes exactly these. It never leaves the hub's own storage. */
export const digestCandidate = (values: DirectoryCandidate, password: string): string =>
  createHash('sha256')
    .update(JSON.stringify([...FIELDS.map((field) => values[field]), password]))
    .digest('hex')
