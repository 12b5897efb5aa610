import type { PresenceState } from '#contract/kernel/protocol.ts'
import { countStates, sumStates } from '#domain/health/member.ts'

export interface Offered {
  readonly router_name: string
  readonly note: string
  readonly presence: { readonly state: PresenceState }
  readonly networks: readonly { readonly network_number: string }[]
}

interface OfferedByKind {
  readonly router: readonly Offered[]
  readonly app: readonly Offered[]
}

interface Call {
  readonly input: Record<string, unknown>
}

/** Answers of `router/member` and `router/choices` over some members, as the Worker gives them. */
export function candidateApi(offered: OfferedByKind | (() => OfferedByKind)) {
  const all = () => (typeof offered === 'function' ? offered() : offered)
  const isMatch = ({ router_name, note }: Offered, text: string) => router_name.includes(text) || note.includes(text)
  return {
    'router/member': ({ input }: Call) => {
      const { search = '', kind = '', state = '', page = 1, limit = 2_000, outside, except, network_number } = input
      const left = new Set(String(except ?? '').split(','))
      const found = (rows: readonly Offered[]) =>
        rows.filter(
          (row) =>
            isMatch(row, String(search)) &&
            !left.has(row.router_name) &&
            !(String(outside) === '1' && row.networks.some((one) => one.network_number === network_number)),
        )
      const [hardware, software] = [found(all().router), found(all().app)]
      const ofKind = kind === 'hardware' ? hardware : kind === 'software' ? software : [...hardware, ...software]
      const rows = ofKind.filter(({ presence }) => state === '' || presence.state === state)
      const first = (Number(page) - 1) * Number(limit)
      const shown = rows.slice(first, first + Number(limit))
      return {
        data: {
          router: shown.filter((row) => all().router.includes(row)),
          app: shown.filter((row) => all().app.includes(row)),
        },
        count: rows.length,
        kinds: { hardware: hardware.length, software: software.length },
        states: countStates(ofKind),
        total: sumStates(countStates(ofKind)),
      }
    },
    'router/choices': ({ input }: Call) => {
      const names = (input['router_name'] ?? []) as readonly string[]
      const numbers = (input['network_number'] ?? []) as readonly string[]
      const isNamed = ({ router_name }: Offered, name: string) =>
        router_name.toLowerCase() === name.toLowerCase() || router_name.split('@')[0] === name.toLowerCase()
      const isAsked = (row: Offered) =>
        names.some((name) => isNamed(row, name)) ||
        row.networks.some(({ network_number }) => numbers.includes(network_number))
      const { router, app } = all()
      if (names.length > 0 && ![...router, ...app].some(isAsked)) return { code: 204, msg: '成员不存在或已被删除' }
      const unknown = names.filter((name) => ![...router, ...app].some((row) => isNamed(row, name)))
      return { data: { router: router.filter(isAsked), app: app.filter(isAsked), unknown } }
    },
  }
}
