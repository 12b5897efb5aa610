import Button from '@douyinfe/semi-ui/lib/es/button'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import type { PrefixForm } from './prefix-form.ts'
import styles from './prefix-fields.module.css'
import { NETWORK } from '#contract/network/limits.ts'

interface PrefixRowFieldsProps {
  readonly control: PrefixForm['control']
  readonly index: number
  readonly isAdvanced: boolean
  readonly onRemove: () => void
}

const PERMISSIONS = [
  { value: 'permit', label: '允许' },
  { value: 'deny', label: '拒绝' },
]

export function PrefixRowFields({ control, index, isAdvanced, onRemove }: PrefixRowFieldsProps) {
  return (
    <div className={styles.row} role="group" aria-label={`第 ${index + 1} 条`} data-advanced={isAdvanced}>
      <TextField control={control} name={`prefix.${index}.ip`} label="网络号" isCode maxLength={15} />
      <NumberField control={control} name={`prefix.${index}.mask`} label="掩码" maxLength={2} />
      <TextField control={control} name={`prefix.${index}.name`} label="名称" maxLength={NETWORK.noteMax} />
      {isAdvanced && (
        <>
          <SelectField control={control} name={`prefix.${index}.permission`} label="动作" options={PERMISSIONS} />
          <NumberField control={control} name={`prefix.${index}.ge`} label="ge" maxLength={2} />
          <NumberField control={control} name={`prefix.${index}.le`} label="le" maxLength={2} />
        </>
      )}
      <Button
        className={styles.remove ?? ''}
        theme="borderless"
        type="danger"
        aria-label={`删除第 ${index + 1} 条`}
        onClick={onRemove}
      >
        删除
      </Button>
    </div>
  )
}
