import type * as z from 'zod'
import { expect, it } from 'vitest'
import { API, OPS } from '#contract/api.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/* Every text that a person may type or paste into a call is cleaned by one normaliser, walked by the examples of the contract. */

/** Names of fields that programs fill in: ids of ours, proofs, choices of a list, times of a device. */
const BY_PROGRAMS =
  /^(uniqid|nonce|challenge|token|refresh_token|s|setup|ticket|key|sign|expires|hash|id|delivery_id|alert_id|session_id|file_ids|request_id|verifier|idempotency_key|sha256|job_id|digest|capabilities|uuid|image|path|query)$/
const CHOICES =
  /^(type|mode|kind|send_type|verify_type|purpose|os|member_type|permission|ncp_ciphers|industry|duration|range|status|place|platform|panel|distribution|sort|order|channel|state|flags|rules|severity|country|call|actor_kind|steps|edition|list|table)$/
/** Calls whose input is checked behind the contract, or comes from files. */
const ELSEWHERE: readonly string[] = ['network/impact', 'handbook/import']
/** DNs and filters, whose letters stay. */
const COPIED: readonly string[] = [
  'ldap/check base_dn',
  'ldap/check username',
  'ldap/save base_dn',
  'ldap/save username',
]
/** Secrets are taken as they are. */
const SECRETS = /^(password|newPassword|reset_password|new_password|old_password|secret)$/
/** Texts for people, whose letters stay. */
const FREE =
  /^(name|new_name|shortname|network_name|note|notes|title|content|tag|group|model|version|sys_brand|sys_model|sys_version|occupation|q|search|model|markdown|role)$/

interface Leaf {
  readonly path: readonly (string | number)[]
  readonly text: string
}

function leavesOf(value: unknown, path: Leaf['path'] = []): readonly Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null || 'arrayBuffer' in value) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

function replaced(value: unknown, [key, ...rest]: Leaf['path'], text: string): unknown {
  if (key === undefined) return text
  if (Array.isArray(value)) return value.map((inner: unknown, i) => (i === key ? replaced(inner, rest, text) : inner))
  const row = value as Record<string, unknown>
  return { ...row, [key]: replaced(row[key], rest, text) }
}

const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0))
const pasted = (text: string): string => `\u202D\u3000${text}\u00A0\u200B\u202C`

const calls = [...API, ...OPS].filter(({ path, example }) => example !== undefined && !ELSEWHERE.includes(path))
const rows = calls.flatMap((spec) =>
  leavesOf(spec.example).flatMap(({ path, text }) => {
    const name = String(path.findLast((key) => typeof key === 'string'))
    return text === '' || BY_PROGRAMS.test(name) || CHOICES.test(name) ? [] : [{ spec, path, text, name }]
  }),
)

const parse = (spec: Endpoint, input: unknown): unknown => {
  const read = (spec.input as z.ZodType).safeParse(input)
  return read.success ? read.data : read.error.issues.map(({ message }) => message)
}

it('a pasted text means what was copied, whatever is around it and whatever width its letters have', async () => {
  const offenders = await findOffenders(
    rows.map(({ spec, path, text, name }) => [`${spec.path} ${path.join('.')}`, spec, path, text, name] as const),
  )((_, spec, path, text, name) => {
    const meant = parse(spec, spec.example)
    if (SECRETS.test(name)) return
    expect(parse(spec, replaced(spec.example, path, pasted(text)))).toEqual(meant)
    const wide = FREE.test(name) || COPIED.includes(`${spec.path} ${name}`) ? text : fullWidth(text)
    expect(parse(spec, replaced(spec.example, path, pasted(wide)))).toEqual(meant)
  })
  expect(offenders).toEqual([])
  expect(rows.length).toBeGreaterThan(100)
})

it('a secret is taken as it is, or refused', async () => {
  const secrets = rows.filter(({ name }) => SECRETS.test(name))
  const offenders = await findOffenders(
    secrets.map(({ spec, path, text }) => [`${spec.path} ${path.join('.')}`, spec, path, text] as const),
  )((_, spec, path, text) => {
    const read = (spec.input as z.ZodType).safeParse(replaced(spec.example, path, ` ${fullWidth(text)}`))
    expect(read.success ? JSON.stringify(read.data) : fullWidth(text)).toContain(fullWidth(text))
  })
  expect(offenders).toEqual([])
  expect(secrets.length).toBeGreaterThan(5)
})
