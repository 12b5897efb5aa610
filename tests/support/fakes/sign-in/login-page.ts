import type { Fake, FakeReply } from '../arrivals.ts'
import { CALLBACK_HOSTS, PEOPLE, type SignInDesk, type VendorName, personOf } from './desk.ts'

interface LoginPage {
  readonly vendor: VendorName
  readonly title: string
  /** Path of the vendor's own page. */
  readonly path: string
  /** Under which the code goes back. */
  readonly codeParameter: string
  readonly isInApp: boolean
  /** The vendor's complaint about a query; null if the query is right. */
  readonly problem: (query: URLSearchParams) => string | null
  readonly wrongCallback: string
}

/** The vendor's page, which asks who is signing in, and sends the browser back with a code. */
export const createLoginPage = (desk: SignInDesk, page: LoginPage): Fake => {
  const problemOf = (query: URLSearchParams): string | null => {
    const host = URL.parse(query.get('redirect_uri') ?? '')?.hostname ?? ''
    if (!CALLBACK_HOSTS.some((known) => known.test(host))) return page.wrongCallback
    if (!/^[\w-]{1,128}$/.test(query.get('state') ?? '')) return 'state 不正确'
    return page.problem(query)
  }
  return ({ path, query }, arrivals) => {
    if (arrivals.mode(`${page.vendor}-login`) === 'down') return { status: 502, body: 'Bad Gateway' }
    const problem = path === page.path || path.endsWith('/choose') ? problemOf(query) : 'not found'
    if (problem !== null) return html(page.title, `<p role="alert">${escape(problem)}</p>`)
    if (path === page.path) return html(page.title, toForm(query))
    const redirectUri = new URL(query.get('redirect_uri') ?? '')
    redirectUri.searchParams.set('state', query.get('state') ?? '')
    const person = personOf(query.get('person') ?? '', query.get('phone') ?? '')
    if (query.get('person') !== 'denied' && !person) return html(page.title, '<p role="alert">手机号码不正确</p>')
    if (person) {
      const request = {
        vendor: page.vendor,
        person,
        redirectUri: query.get('redirect_uri') ?? '',
        isInApp: page.isInApp,
        challenge: query.get('code_challenge') ?? '',
      }
      redirectUri.searchParams.set(page.codeParameter, desk.issueCode(request))
    }
    return { status: 302, headers: { location: redirectUri.href } }
  }
}

function toForm(query: URLSearchParams): string {
  const hidden = [...query]
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join('')
  const choices = PEOPLE.map(({ id, name }) => `<button name="person" value="${id}">${escape(name)}</button>`)
  return `<p>谁在登录？</p>
<form action="choose">${hidden}${choices.join(' ')} <button name="person" value="denied">拒绝授权</button></form>
<form action="choose">${hidden}<label>手机号码 <input name="phone" inputmode="numeric"></label> <button>登录</button></form>`
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const html = (title: string, body: string): FakeReply => ({
  body: `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>${title}</title><h1>${title}</h1>${body}</html>`,
  headers: { 'content-type': 'text/html; charset=utf-8' },
})
