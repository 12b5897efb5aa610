import type { Mail } from '#contract/kernel/outside.ts'
import { displayName } from '#domain/site/brand.ts'
import { EMAIL_MAX } from '#contract/kernel/limits.ts'
import { escapeHtml } from '#domain/site/plain-page.ts'

/* Composes a mail from its content: subject, plain text and HTML. Also checks mailboxes for SMTP. */

/** Content of a mail. Texts may contain customers' input: they are plain text, escaped in the HTML. */
export interface MailContent {
  /** Host that decides the brand. */
  readonly host: string
  /** Subject without the brand, which is put before it. */
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Rows of a table: name, value, and a colour of the value in the HTML. */
  readonly facts?: readonly (readonly [name: string, value: string, color?: string])[]
  /** A button; its address is ours. */
  readonly link?: { readonly text: string; readonly url: string }
  readonly footer?: string
  readonly unsubscribe?: string
  /** Text of that link; 退订 by default. */
  readonly unsubscribeText?: string
}

const SUBJECT_MAX = 90 // DirectMail takes 100 characters

/** Text and HTML have the same words. The HTML has no images, style sheets or scripts. */
export function composeMail(content: MailContent): Mail {
  const { host, facts = [], link, unsubscribe, unsubscribeText = '退订' } = content
  const name = displayName(host)
  const paragraphs = content.paragraphs.map(toLine)
  const rows = facts.map(([title, value, color]) => [toLine(title), toLine(value), color] as const)
  const footer = [
    ...(content.footer === undefined ? [] : [toLine(content.footer)]),
    '此邮件由系统自动发送，请勿直接回复。',
    ...(name === null ? [] : [name]),
  ]
  const text = [
    ...paragraphs,
    ...(rows.length > 0 ? [rows.map(([title, value]) => `${title}：${value}`).join('\n')] : []),
    ...(link ? [`${link.text}：\n${link.url}`] : []),
    ['--', ...footer, ...(unsubscribe === undefined ? [] : [`${unsubscribeText}：${unsubscribe}`])].join('\n'),
  ].join('\n\n')
  const html = [
    ...paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(rows.length > 0 ? [`<table>${rows.map(toRow).join('')}</table>`] : []),
    ...(link ? [`<p>${toAnchor(link.url, link.text)}</p><p>${escapeHtml(link.url)}</p>`] : []),
    `<hr><p>${footer.map(escapeHtml).join('<br>')}</p>`,
    ...(unsubscribe === undefined ? [] : [`<p>${toAnchor(unsubscribe, unsubscribeText)}</p>`]),
  ].join('\n')
  return {
    subject: cut(`${name === null ? '' : `【${name}】`}${toLine(content.subject)}`, SUBJECT_MAX),
    text,
    html: `<!doctype html>\n<html lang="zh-CN"><head><meta charset="utf-8"></head><body>\n${html}\n</body></html>`,
    ...(unsubscribe !== undefined && { unsubscribe }),
  }
}

/** One line without control and direction characters, so that nothing reads as another line or header. */
export const toLine = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

function toRow([title, value, color]: readonly [string, string, string | undefined]): string {
  const style = color === undefined ? '' : ` style="color:${escapeHtml(color)};font-weight:bold"`
  return `<tr><td>${escapeHtml(title)}</td><td${style}>${escapeHtml(value)}</td></tr>`
}

/** Link to one of our addresses. Anything but http(s) becomes plain text. */
const toAnchor = (url: string, text: string): string =>
  /^https?:\/\//.test(url) ? `<a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(text)}</a>` : escapeHtml(text)

/** Cuts between characters, never within a surrogate pair. */
const cut = (text: string, max: number): string => {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

/**
 * True for an ASCII mailbox as in SMTP between < and >: dot-atom, public-looking domain, no quotes, comments or spaces.
 * The text can therefore not smuggle in a second command or recipient.
 */
export const isMailbox = (text: string): boolean =>
  text.length <= EMAIL_MAX &&
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(
    text,
  )
