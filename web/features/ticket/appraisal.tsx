import Rating from '@douyinfe/semi-ui/lib/es/rating'
import type * as z from 'zod'
import { appraisalForm, type TicketView } from '#contract/ticket/index.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import { FieldFrame, useField } from '#ui/form/field.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { TextAreaField } from '#ui/form/inputs/text-area-field.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { useAppraise } from './api.ts'
import styles from './conversation.module.css'
import { gradeText } from './ticket-text.tsx'

/** Rating of the service attitude in stars: given once, then read-only (account 4). */
export function Appraisal({ ticket }: { readonly ticket: TicketView }) {
  const { appraise } = ticket
  if (appraise === null) return <AppraisalForm number={ticket.ticket_number} isClosed={ticket.ticket_status === 4} />
  return (
    <div className={styles.facts}>
      <span role="img" aria-label={gradeText(appraise.grade)} className={styles.stars}>
        <Rating value={appraise.grade} count={TICKET.gradeMax} disabled />
        <span>{gradeText(appraise.grade)}</span>
      </span>
      {appraise.content !== '' && <p className={styles.text}>{appraise.content}</p>}
    </div>
  )
}

function AppraisalForm({ number, isClosed }: { number: string; isClosed: boolean }) {
  const form = useContractForm(appraisalForm, { grade: undefined, content: '' })
  const appraise = useAppraise()
  return (
    <Form form={form} onSubmit={(values) => appraise.trigger({ ticket_number: number, ...values })}>
      <GradeField form={form} />
      <TextAreaField
        control={form.control}
        name="content"
        label="评价内容"
        rows={3}
        max={TICKET.appraisalMax}
        {...(!isClosed && { help: '评价后工单关闭，不能再回复' })}
      />
      <FormActions submitText={isClosed ? '提交评价' : '关闭问题并评价'} busy={form.busy} />
    </Form>
  )
}

type AppraisalFields = ContractForm<z.input<typeof appraisalForm>, z.output<typeof appraisalForm>>

function GradeField({ form }: { readonly form: AppraisalFields }) {
  const { id, frame, field, aria } = useField({
    control: form.control,
    name: 'grade',
    label: '服务态度',
    required: true,
  })
  const grade = Number(field.value ?? 0)
  return (
    <FieldFrame {...frame} plainLabel>
      <div id={id} ref={nameStars} className={styles.stars}>
        <Rating
          aria-labelledby={aria['aria-labelledby']}
          aria-invalid={aria['aria-invalid']}
          aria-required
          value={grade}
          count={TICKET.gradeMax}
          onChange={(chosen: number) => field.onChange(chosen)}
        />
        {grade > 0 && <span aria-hidden="true">{gradeText(grade)}</span>}
      </div>
    </FieldFrame>
  )
}

/**
 * Replaces the English labels of Semi's stars, and their number: Semi counts its radio of no star with them. It never changes
 * these attributes, so they stay.
 */
function nameStars(field: HTMLElement | null): void {
  for (const [i, star] of (field?.querySelectorAll('[role="radio"]') ?? []).entries()) {
    const grade = (i + 1) % (TICKET.gradeMax + 1)
    star.setAttribute('aria-label', gradeText(grade))
    if (grade > 0) star.setAttribute('aria-setsize', String(TICKET.gradeMax))
    else for (const name of ['aria-setsize', 'aria-posinset']) star.removeAttribute(name)
  }
}
