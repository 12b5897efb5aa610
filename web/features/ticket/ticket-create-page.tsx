import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import * as z from 'zod'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { IMAGE_RULE } from '#contract/kernel/uploads.ts'
import { SERVICE_TICKET, ticketForm, type TicketType } from '#contract/ticket/index.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import type { SnapshotTarget } from '#contract/ticket/snapshot.ts'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { type TicketDraft, readTicketDraft } from '#lib/ticket-draft.ts'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextAreaField } from '#ui/form/inputs/text-area-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { UploadField } from '#ui/form/upload/upload-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { FormNotes } from '#ui/layout/form-notes.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { uploadImage, useCreateTicket } from './api.ts'
import { SnapshotField, targetOf, toTarget, toValue } from './snapshot-field.tsx'
import { HOURS_HINT, renewalTexts, requestTexts, TYPE_OPTIONS } from './ticket-text.tsx'

/* Page of a new ticket (account 2), filled in with the subject of the link that led here. */

const schema = ticketForm.extend({ snapshot: z.string() })

interface TicketSubject {
  readonly service: string
  /** Title and content of a request to the provider. */
  readonly request: ReturnType<typeof requestTexts>
  readonly target: SnapshotTarget | null
  /** First texts from the page that led here. */
  readonly draft: TicketDraft | null
}

const NOTES = [
  '顾问回复时发送站内消息，绑定了邮箱的账号还会收到邮件。',
  '提交后可以在工单里继续补充文字、图片和诊断快照；与设备或链路有关的问题请附上快照，顾问不用再向您索取信息。',
  `问题解决后请关闭工单并评价。${TICKET.silentDays} 天没有新消息的工单自动关闭，未评价的 ${TICKET.reopenDays} 天内可以重新打开。`,
]

export function TicketCreatePage() {
  const [query] = useSearchParams()
  const { username } = useUser()
  const subject = {
    service: query.get('service_name') ?? '',
    request: requestTexts(query.get('request'), username),
    target: targetOf(query),
    draft: readTicketDraft(useLocation().state),
  }
  return (
    <>
      <PageHeader title="提交工单" trail={[{ label: '客服工单', to: paths.tickets }]} facts={HOURS_HINT} />
      <Panel>
        <FormNotes notes={NOTES}>
          <TicketForm key={query.toString()} {...subject} />
        </FormNotes>
      </Panel>
    </>
  )
}

function TicketForm({ service, request, target, draft }: TicketSubject) {
  const texts = request ?? draft ?? (service === '' ? { title: '', content: '' } : renewalTexts(service))
  const form = useContractForm(
    schema,
    {
      ...texts,
      type: typeAbout({ service, request, target }),
      file_ids: [],
      snapshot: target === null ? '' : toValue(target),
    },
    { draft: { key: 'ticket', fields: ['title', 'content', 'type', 'snapshot'] } },
  )
  const create = useCreateTicket()
  const navigate = useNavigate()
  const { control } = form
  const number = create.data?.data.ticket_number
  useLeaveGuard(form.formState.isDirty && number === undefined)
  useEffect(() => {
    if (number !== undefined) void navigate(paths.ticket(number), { replace: true })
  }, [number, navigate])
  const submit = ({ snapshot, ...values }: z.output<typeof schema>) =>
    create.trigger({ ...values, snapshot: toTarget(snapshot) })
  return (
    <Form form={form} onSubmit={submit}>
      <TextField control={control} name="title" label="标题" required max={TICKET.titleMax} />
      <SelectField control={control} name="type" label="问题类型" required options={TYPE_OPTIONS} />
      <TextAreaField
        control={control}
        name="content"
        label="概述"
        required
        rows={6}
        max={TICKET.contentMax}
        placeholder="请描述问题的现象、发生的时间和已尝试的操作"
      />
      <UploadField
        control={control}
        name="file_ids"
        label="附件"
        rule={IMAGE_RULE}
        maxFiles={UPLOAD.ticketFiles}
        upload={uploadImage}
        help={`最多 ${UPLOAD.ticketFiles} 张图片`}
      />
      <SnapshotField control={control} name="snapshot" preset={target === null ? '' : toValue(target)} />
      <FormActions submitText="提交工单" busy={form.busy} onCancel={() => void navigate(paths.tickets)} />
    </Form>
  )
}

const TYPE_ABOUT = { network: 2, router: 3 } as const

function typeAbout({ service, request, target }: Omit<TicketSubject, 'draft'>): TicketType | undefined {
  if (service !== '' || request !== null) return SERVICE_TICKET
  return target === null ? undefined : TYPE_ABOUT[target.kind]
}
