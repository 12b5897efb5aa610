import { AUTH_CONFIRM_PATH } from '#contract/auth-source/limits.ts'
import { timeText } from '#contract/kernel/time.ts'
import { type PlainPage, escapeHtml } from '#domain/site/plain-page.ts'

/** Pages of a member's sign-in at WeCom, Feishu or DingTalk, shown after the vendor has redirected the browser back. */
export type SignInPage =
  | { readonly kind: 'done'; readonly member: string }
  | {
      readonly kind: 'confirm'
      readonly member: string
      readonly token: string
      /** Address and device of the client; '' if it did not report them. */
      readonly ip: string
      readonly device: string
      /** Epoch milliseconds. */
      readonly startedAt: number
    }
  | { readonly kind: 'in_app'; readonly url: string }
  | { readonly kind: 'refused'; readonly sentence: string }

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
        body: `<p>成员“${escapeHtml(page.member)}”正在以下客户端登录，请确认是否为您本人操作：</p>
<dl><dt>网络地址</dt><dd>${escapeHtml(page.ip)}</dd>${page.device === '' ? '' : `<dt>设备</dt><dd>${escapeHtml(page.device)}</dd>`}<dt>发起时间</dt><dd>${timeText(page.startedAt)}</dd></dl>
<p>如果登录链接由他人发送给您，请选择“不是本人操作”。</p>
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
