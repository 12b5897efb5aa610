import { contactForm } from '#contract/contacts/index.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { type ContactRow, useCreateContact, useEditContact } from './api.ts'
import { CONTACT } from '#contract/contacts/limits.ts'

/* Dialog that adds or edits a contact. */

/** Without a contact it adds one. */
export function ContactDialog({ contact, onClose }: { contact: ContactRow | null; onClose: () => void }) {
  const create = useCreateContact()
  const edit = useEditContact()
  const form = useContractForm(
    contactForm,
    { name: contact?.name ?? '', email: contact?.email ?? '' },
    { draft: { key: `contact ${contact?.uuid ?? ''}`, fields: ['name', 'email'] } },
  )
  const { control } = form
  return (
    <FormDialog
      title={contact === null ? '添加联系人' : '编辑联系人'}
      form={form}
      submitText={contact === null ? '添加' : '保存'}
      command={(values) =>
        contact === null ? create.trigger(values) : edit.trigger({ uuid: contact.uuid, ...values })
      }
      onClose={onClose}
    >
      <TextField control={control} name="name" label="名称" required max={CONTACT.nameMax} />
      <TextField control={control} name="email" label="邮箱" required isCode inputMode="email" />
      <p className="nl-muted">
        {contact === null
          ? `保存后向该邮箱发送验证邮件，${CONTACT.linkHours}小时内打开邮件中的链接即完成验证。`
          : '修改邮箱后需要重新验证，验证前不会收到告警通知。'}
      </p>
    </FormDialog>
  )
}
