import type { Arrival } from './arrivals.ts'

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? '')

/** Page for developers that lists all arrivals at the fakes and reloads itself. */
export const page = (items: readonly Arrival[]): string => `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>外部服务（模拟）</title>
<style>:root{color-scheme:light dark;font:14px/1.6 system-ui}body{margin:24px}td,th{padding:6px 16px 6px 0;
border-bottom:1px solid #8884;text-align:left;vertical-align:top}td:last-child{white-space:pre-wrap}</style></head>
<body><h1>外部服务（模拟）</h1><p>只在本机运行时存在。POST /mode {"dingtalk":"rate"} 可让一项服务出错，{"dingtalk":"ok"} 恢复。</p>
<table><tr><th>时间</th><th>服务</th><th>发往</th><th>答复</th><th>内容</th></tr>${items
  .map(
    ({ received, at, to, answer, text }) =>
      `<tr><td>${new Date(received).toLocaleTimeString('zh-CN', { timeZone: 'Asia/Shanghai' })}</td><td>${escape(at)}</td><td>${escape(to)}</td><td>${escape(answer)}</td><td>${escape(text)}</td></tr>`,
  )
  .join('')}</table></body></html>`
