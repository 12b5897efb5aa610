import { Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod'
import { RESULT } from '#contract/kernel/result.ts'
import { createDriver, openDb } from '#db/client.ts'
import type { HonoEnv } from '#http/context.ts'
import { selectOutboxRows } from '#db/local-outbox.ts'
import { accountInput, importAccount, importRouters, routersInput } from './history.ts'

/** Outbox of a local run (mails, SMS, captchas) as page and JSON. These paths exist in no other environment. */
export const localRoutes = new Hono<HonoEnv>()

/** Import of a history, by the operator of a local run: the demo fills the hours before its start. */
export const historyRoutes = new Hono<HonoEnv>()

historyRoutes.post('/routers', async (c) => {
  const names = await importRouters(c.get('ctx'), routersInput.parse(await c.req.json()))
  return c.json({ code: RESULT.ok, msg: '', data: names })
})

historyRoutes.post('/account', async (c) => {
  await importAccount(c.get('ctx'), accountInput.parse(await c.req.json()))
  return c.json({ code: RESULT.ok, msg: '', data: null })
})

const filter = z.object({
  kind: z.enum(['mail', 'sms', 'captcha']).optional().catch(undefined),
  to: z.string().optional(),
  uniqid: z.string().optional(),
})

localRoutes.get('/outbox', async (c, next) => {
  if (c.env.ENVIRONMENT !== 'local') return next()
  const items = await selectOutboxRows(openDb(createDriver(c.env)), filter.parse(c.req.query()))
  if (!c.req.header('accept')?.includes('text/html')) return c.json({ items })
  c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  return c.html(page(items))
})

type Item = Awaited<ReturnType<typeof selectOutboxRows>>[number]

const KIND = { mail: '邮件', sms: '短信', captcha: '图形验证码' } as const

const page = (items: readonly Item[]) =>
  html`<!doctype html>
    <html lang="zh-CN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>本地发件箱</title>
        <style>
          :root {
            color-scheme: light dark;
            font: 14px/1.6 system-ui;
          }
          body {
            margin: 24px;
          }
          table {
            border-collapse: collapse;
          }
          th,
          td {
            padding: 6px 16px 6px 0;
            border-bottom: 1px solid #8884;
            text-align: left;
            vertical-align: top;
          }
          code {
            font-size: 16px;
          }
        </style>
      </head>
      <body>
        <h1>本地发件箱</h1>
        <p>
          只在本机运行时存在。筛选：<a href="?">全部</a> <a href="?kind=sms">短信</a> <a href="?kind=mail">邮件</a>
          <a href="?kind=captcha">图形验证码</a>
        </p>
        <table>
          <tr>
            <th>时间</th>
            <th>类型</th>
            <th>收件人</th>
            <th>验证码</th>
            <th>内容</th>
          </tr>
          ${items.map(
            (item) =>
              html`<tr>
                <td>${new Date(item.at).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai' })}</td>
                <td>${KIND[item.kind]}</td>
                <td>${item.to}</td>
                <td><code>${item.code}</code></td>
                <td>${item.subject} ${item.text}</td>
              </tr>`,
          )}
        </table>
      </body>
    </html>`
