import * as z from 'zod'
import { NETWORK_TYPE } from '#contract/network/limits.ts'
import { keptName } from '#contract/network/networks.ts'
import { checkName, nameMax } from '#domain/network/members/membership.ts'
import { useNetworkOptions } from '#pages/network/api.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import styles from './plan.module.css'

/* Name of a network: its length by network type, its schema and its form field. */

export interface NamedInfo {
  readonly network_name: string
  readonly network_type: number
}

const isPop = ({ network_type }: NamedInfo): boolean => network_type === NETWORK_TYPE.pop

export const nameMaxOf = (info: NamedInfo): number => nameMax({ isPop: isPop(info) })

/** Schema of the name of an existing network. As on the server, a longer name that is unchanged is accepted. */
export const keptNameSchema = (info: NamedInfo) =>
  z.object({
    network_name: keptName.superRefine((name, issues) => {
      const refused = checkName(name, { name: info.network_name, isPop: isPop(info) })
      if (refused) issues.addIssue({ code: 'custom', message: String(refused.params['reason']) })
    }),
  })

export interface NameInput {
  network_name: string
}

/** Warning about another network of this name; names need not be unique. `own` is the number of the named network. */
export function useNameTaken(name: string, own: string | null): string | undefined {
  const options = useNetworkOptions().data?.data ?? []
  const other = options.find((one) => one.network_name === name.trim() && one.network_number !== own)
  return other && `已有同名组网（编号 ${other.network_number}），建议换一个名称以便区分`
}

interface NetworkNameFieldProps {
  readonly form: ContractForm<NameInput, NameInput>
  readonly max: number
  /** Number of the network; null for a new one. */
  readonly own: string | null
}

export function NetworkNameField({ form, max, own }: NetworkNameFieldProps) {
  const taken = useNameTaken(form.watch('network_name'), own)
  return (
    <div className={styles.name}>
      <TextField
        control={form.control}
        name="network_name"
        label="组网名称"
        required
        max={max}
        placeholder={`最多 ${max} 个字符`}
        {...(taken !== undefined && { help: taken })}
      />
    </div>
  )
}
