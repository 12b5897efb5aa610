import { AUTH_CONFIRM_PATH } from '#contract/auth-source/limits.ts'
import type { BrowserDevice } from '#contract/client/index.ts'
import { SYSTEM_NAME } from '#contract/client/systems.ts'
import { timeText } from '#contract/kernel/time.ts'
import { type PlainPage, escapeHtml } from '#domain/site/plain-page.ts'

/** Pages of a member's sign-in at WeCom, Feishu or DingTalk, shown after the vendor has redirected the browser back. */
export type SignInPage =
  | { readonly kind: 'done'; readonly member: string }
  | {
      readonly kind: 'confirm'
      readonly member: string
      readonly token: string
      /** Digits that the client shows, too. */
      readonly code: string
      /** Device and address of the client. */
      readonly device: string
      readonly ip: string
      /** Epoch milliseconds. */
      readonly startedAt: number
    }
  | { readonly kind: 'in_app'; readonly url: string }
  | { readonly kind: 'refused'; readonly sentence: string }

/** Device as its client describes it: `张伟的笔记本（Lenovo ThinkPad X1，Windows 11）`. */
export function deviceText({ device_name: name, sys_brand, sys_model, os, sys_version }: BrowserDevice): string {
  const facts = [
    [sys_brand, sys_model],
    [os && SYSTEM_NAME[os], sys_version],
  ].map((words) => words.filter(Boolean).join(' '))
  const text = facts.filter(Boolean).join('，')
  if (name === '') return text || '未提供名称的设备'
  return text === '' ? name : `${name}（${text}）`
}

/** Digits of a confirmation code in two groups: `482 913`. */
export const confirmCodeText = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2')

/** @param qr markup of a picture that holds the text as a QR code */
export function signInPage(page: SignInPage, qr: (text: string) => string): PlainPage {
  switch (page.kind) {
    case 'done':
      return {
        title: '登录成功',
        body: `<p>${page.member === '' ? '' : `成员“${escapeHtml(page.member)}”`}已登录，请返回客户端继续使用，本页面可以关闭。</p>`,
      }
    case 'confirm':
      return {
        title: '确认登录',
        body: `<p>成员“${escapeHtml(page.member)}”将在以下设备上登录：</p>
<dl><dt>设备</dt><dd>${escapeHtml(page.device)}</dd><dt>确认码</dt><dd class="code">${escapeHtml(confirmCodeText(page.code))}</dd>
<dt>网络地址</dt><dd>${escapeHtml(page.ip)}</dd><dt>发起时间</dt><dd>${timeText(page.startedAt)}</dd></dl>
<p>请核对您手中设备的客户端上显示的确认码。确认码不一致，或登录链接由他人发送给您时，请选择“不是本人操作”。</p>
<form method="post" action="${AUTH_CONFIRM_PATH}"><input type="hidden" name="token" value="${escapeHtml(page.token)}">
<button name="answer" value="yes">确认登录</button> <button name="answer" value="no" class="plain">不是本人操作</button></form>`,
      }
    case 'in_app':
      return {
        title: '请在企业微信中打开授权',
        body: `<p>首次登录需要授权手机号码。请用企业微信扫描二维码，或在企业微信中打开以下链接，仅能使用一次：</p>
<p class="qr">${qr(page.url)}</p>
<p><a href="${escapeHtml(page.url)}" rel="noreferrer">在企业微信中打开授权</a></p>
<p class="link">${escapeHtml(page.url)}</p>`,
      }
    case 'refused':
      return { title: '登录失败', body: `<p role="alert">${escapeHtml(page.sentence)}</p>` }
  }
}
