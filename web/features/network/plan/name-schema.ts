import * as z from 'zod'
import { NETWORK_TYPE } from '#contract/network/limits.ts'
import { keptName } from '#contract/network/networks.ts'
import { checkName, nameMax } from '#domain/network/members/membership.ts'

export interface NamedInfo {
  readonly network_name: string
  readonly network_type: number
}

const isPop = ({ network_type }: NamedInfo): boolean => network_type === NETWORK_TYPE.pop

export const nameMaxOf = (info: NamedInfo): number => nameMax({ isPop: isPop(info) })

/** The name of a network that exists, by the rule of the server: a longer one that it has already is accepted unchanged. */
export const keptNameSchema = (info: NamedInfo) =>
  z.object({
    network_name: keptName.superRefine((name, issues) => {
      const found = checkName(name, { name: info.network_name, isPop: isPop(info) })
      if (found) issues.addIssue({ code: 'custom', message: String(found.params['reason']) })
    }),
  })
