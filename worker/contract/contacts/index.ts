import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { codeString, lengthText, displayText, email, search, time, wireBoolean } from '#contract/kernel/fields.ts'
import { list } from '#contract/kernel/list.ts'
import { CONTACT } from './limits.ts'

/* Endpoints and forms of alert contacts: people whom alerts are mailed to. */

const uuid = codeString().min(1, '请选择联系人').max(64)

export const contactForm = z.object({
  name: displayText.min(1, '请输入名称').max(CONTACT.nameMax, lengthText('名称', CONTACT.nameMax)),
  email: codeString().min(1, '请输入邮箱').pipe(email),
})

const contact = z.object({
  uuid: z.string(),
  name: z.string(),
  email: z.string(),
  email_verify: wireBoolean,
  /** Start of the authorization, which ends at `expire_time`; null without one. */
  email_verify_time: time.nullable(),
  expire_time: time.nullable(),
  /** 0: the authorization has expired. */
  re_email_verify: wireBoolean,
  /** 1: the verification mail is on its way to the provider. */
  mail_pending: wireBoolean,
  /** Catalogue key if the last verification mail was not sent; '' otherwise. */
  mail_error: z.enum(['', 'SEND_FAILED']),
  /** Seconds until the verification mail may be sent again. */
  resend_after: z.int(),
})
export type Contact = z.infer<typeof contact>

/** Secret of a link in a mail. A malformed one is treated as an unknown one. */
const link = { input: z.object({ s: z.string().max(200).catch('') }), example: { s: 'x' } }

const EXAMPLE_UUID = '6f1c0f5e-7f0a-4d7e-9a53-2f6d3f1b8c11'
const one = { input: z.object({ uuid }), example: { uuid: EXAMPLE_UUID } }
const LISTS = ['contacts/lists', 'contacts/info'] as const

export const contactsApi = {
  lists: read('contacts/lists', 'session', {
    reads: 'near',
    summary: 'Contacts of the account, newest first; searches name and e-mail. Without monitor:view both are masked',
    ...list({ row: contact, filters: { search } }),
  }),
  info: read('contacts/info', 'session', {
    summary: 'One contact',
    ...one,
    output: contact,
  }),
  create: write('contacts/create', 'monitor:edit:all', {
    summary: 'Add a contact; a verification mail goes to its address',
    input: contactForm,
    output: z.object({ uuid: z.string() }),
    done: 'added',
    refreshes: LISTS,
    example: { name: '张三', email: 'zhang@b.cn' },
  }),
  edit: write('contacts/edit', 'monitor:edit:all', {
    summary: 'Edit a contact; another address is unverified and gets a verification mail',
    input: contactForm.extend({ uuid }),
    done: 'changed',
    refreshes: LISTS,
    example: { uuid: EXAMPLE_UUID, name: '张三', email: 'zhang@b.cn' },
  }),
  delete: write('contacts/delete', 'monitor:edit:all', {
    summary: 'Delete a contact; its links are void',
    ...one,
    done: 'deleted',
    refreshes: LISTS,
  }),
  sendValidateEmail: write('contacts/send_validate_email', 'monitor:edit:all', {
    summary: 'Send the verification mail of an unverified contact again',
    ...one,
    done: 'sent',
    refreshes: LISTS,
  }),
  updateVerify: write('contacts/update_verify', 'monitor:edit:all', {
    summary: 'Renew the authorization of a verified contact for 180 days',
    ...one,
    done: 'authorized',
    refreshes: LISTS,
  }),
  validateEmail: write('contacts/validate_email', 'public', {
    summary: 'Open the link of a verification mail; once verified it answers the same again',
    ...link,
    done: 'verified',
  }),
  unsubscribe: write('contacts/unsubscribe', 'public', {
    summary: 'Button behind the link of an alert mail: ends the authorization and un-verifies the address',
    ...link,
    done: 'unsubscribed',
  }),
  refuseMails: write('contacts/refuse_mails', 'public', {
    summary: 'Button behind the link of a verification mail: no account sends such mails to the address any more',
    ...link,
    done: 'mailsRefused',
  }),
  acceptMails: write('contacts/accept_mails', 'public', {
    summary: 'Take verification mails at the address again',
    ...link,
    done: 'mailsAccepted',
  }),
} as const
