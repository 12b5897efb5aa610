import * as z from 'zod'
import { syncMode } from '#contract/ldap/form.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useSyncMode } from '../api.ts'
import { SYNC_MODES } from '../ldap-text.ts'

/* Dialog that switches between manual and automatic directory sync. */

const LOCK_MS = 3_000 // lock of the button (directory 2)

const schema = z.object({ sync_mode: syncMode })

export function SyncModeDialog({ syncMode: now, onClose }: { syncMode: number; onClose: () => void }) {
  const set = useSyncMode()
  const form = useContractForm(
    schema,
    { sync_mode: now },
    { draft: { key: 'ldap sync mode', fields: ['sync_mode'] }, lockMs: LOCK_MS },
  )
  return (
    <FormDialog title="设置同步方式" form={form} command={set.trigger} onClose={onClose}>
      <RadioField
        control={form.control}
        name="sync_mode"
        label="同步方式"
        required
        options={SYNC_MODES}
        help={`自动同步约每 ${LDAP.cycleMinutes} 分钟运行一次：新增、更新、停用和恢复启用成员，从不删除；将停用的成员过多时会暂停并等待确认`}
      />
    </FormDialog>
  )
}
