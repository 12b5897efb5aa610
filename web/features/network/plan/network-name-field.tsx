import { TextField } from '#ui/form/inputs/text-field.tsx'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import styles from './plan.module.css'

interface Values {
  network_name: string
}

interface NetworkNameFieldProps {
  readonly form: ContractForm<Values, Values>
  readonly max: number
}

export function NetworkNameField({ form, max }: NetworkNameFieldProps) {
  return (
    <div className={styles.name}>
      <TextField
        control={form.control}
        name="network_name"
        label="组网名称"
        required
        maxLength={max}
        placeholder={`最多 ${max} 个字符`}
      />
    </div>
  )
}
