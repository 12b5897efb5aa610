import { describe, expect, it } from 'vitest'
import { PASSWORD } from '#contract/account/limits.ts'
import {
  CAROUSEL_MS,
  DIAL_CODE_DEFAULT,
  PAGER_BUTTONS,
  PAGE_SIZE,
  STATUS_POLL_MS,
  SUBMIT_LOCK_MS,
  TRAFFIC,
  UPLOAD,
  WORKBOOK,
} from '#contract/kernel/limits.ts'
import { NETWORK_TICKET_WORD } from '#contract/network/pop.ts'
import { doneSentence } from '#contract/kernel/endpoint.ts'
import { DONE } from '#contract/kernel/result.ts'
import { SHEET_RULE, checkFile } from '#contract/kernel/uploads.ts'
import { LOG_RANGE_MS } from '#contract/logs/limits.ts'
import { networkApi } from '#contract/network/index.ts'
import {
  DEFAULT_ROUTE_METRICS,
  MASK,
  NETWORK,
  NETWORK_TICKET,
  NETWORK_TICKET_STATUS,
  NETWORK_TYPE,
  OV_PRIORITY,
  POP,
  PORT,
  PREFIX,
} from '#contract/network/limits.ts'
import { NETWORK_SETTINGS } from '#contract/network/settings.ts'
import { routerApi } from '#contract/router/index.ts'
import { MEMBER_FILE, ROUTER_TYPE, SOFTWARE } from '#contract/router/limits.ts'
import { OTP } from '#contract/verify/limits.ts'
import { findOffenders } from '#tests/support/offenders.ts'

describe('network 9 · constants', () => {
  it('are those of the document', async () => {
    const offenders = await findOffenders<[string, unknown, unknown]>([
      ['rows of a page', PAGE_SIZE, 10],
      ['buttons of the pager', PAGER_BUTTONS, 5],
      ['status poll', STATUS_POLL_MS, 10_000],
      ['traffic reconnect', TRAFFIC.reconnectMs, 10_000],
      ['points of a traffic chart', TRAFFIC.pointsKept, 40],
      ['save lock', SUBMIT_LOCK_MS, 60_000],
      ['batch loading reset', MEMBER_FILE.resetMs, 10_000],
      ['code resend', OTP.resendSeconds, 59],
      ['ports', [PORT.min, PORT.max], [1025, 65_535]],
      ['port input', PORT.inputMax, 6],
      ['masks of gateways', MASK.gateway, { min: 16, max: 24 }],
      ['masks of prefixes', MASK.prefix, { min: 8, max: 32 }],
      ['largest le', PREFIX.leMax, 32],
      ['DNS entries', NETWORK.dnsQuantity, 2],
      ['network name', [NETWORK.nameMax, POP.nameMax], [24, 32]],
      ['notes', [NETWORK.noteMax, MEMBER_FILE.noteMax, NETWORK.noteShown], [24, 20, 18]],
      ['account name', [SOFTWARE.usernameMin, SOFTWARE.usernameMax], [3, 18]],
      ['password', PASSWORD, { min: 6, max: 18 }],
      ['suffix', [SOFTWARE.signMin, SOFTWARE.signMax], [6, 12]],
      ['code', OTP.length, 6],
      ['upload', [UPLOAD.maxBytes, WORKBOOK.maxBytes], [2_097_152, 2_097_152]],
      ['ticket type', NETWORK_TICKET.type, 1001],
      ['bandwidths that are offered', NETWORK_TICKET.bandwidthOffered, [1, 50, 100, 150, 200]],
      ['back after an order', NETWORK_TICKET.backMs, 500],
      ['priority of an area', OV_PRIORITY.default, 3],
      ['routing type', NETWORK_SETTINGS.routing.parse(undefined).type, 1],
      ['metrics', DEFAULT_ROUTE_METRICS, [30, 60, 90, 120, 150]],
      ['dial code', DIAL_CODE_DEFAULT, '86'],
      ['days of logs', LOG_RANGE_MS / 86_400_000, 7],
      ['carousel', CAROUSEL_MS, 5_000],
      ['member types', ROUTER_TYPE, { hardware: 1, software: 2 }],
      ['network types', NETWORK_TYPE, { hub: 1, pointToPoint: 2, pop: 3 }],
      ['ticket statuses', NETWORK_TICKET_STATUS, { unprocessed: 1, processing: 2, completed: 3, cancelled: 4 }],
    ])((_, value, expected) => expect(value).toEqual(expected))
    expect(offenders).toEqual([])
  })
})

describe('network 8 · success messages', () => {
  it.each([
    ['删除成功', [networkApi.delete, networkApi.ticketDelete, routerApi.delete, routerApi.batchDelete]],
    ['保存成功', [networkApi.create, networkApi.edit, routerApi.phone]],
    [
      '设置成功',
      [
        networkApi.ciphers,
        networkApi.dns,
        networkApi.editPrefix,
        networkApi.editRouting,
        networkApi.defaultRoute,
        networkApi.quagga,
        networkApi.quaggaEnable,
        networkApi.quaggaDisable,
        networkApi.softwareMode,
        networkApi.fixedPort,
        networkApi.editCenterGateway,
        networkApi.editIpAddressPool,
        networkApi.centerLink,
        networkApi.enableCenterLink,
        networkApi.editCenterLinkGateway,
        networkApi.editPointLink,
        networkApi.fr,
        networkApi.memberOv,
      ],
    ],
    ['发送成功', [routerApi.updateStatus]],
    ['提交成功', [networkApi.ticket]],
    ['取消成功', [networkApi.ticketCancel]],
  ] as const)('%s', (sentence, specs) => {
    for (const spec of specs)
      expect([spec.path, spec.done ? DONE[spec.done] : doneSentence(spec, null, {})]).toEqual([spec.path, sentence])
  })
})

it('network 4 · words of ticket statuses', () => {
  expect(NETWORK_TICKET_WORD).toEqual({ 1: '未处理', 2: '处理中', 3: '已完成', 4: '已取消' })
})

it.each([
  ['members.xls', 1, '文件格式不正确'],
  ['members.XLSX', 2_097_152, null],
  ['members.xlsx', 2_097_153, '文件过大，请上传小于2MB的文件〜'],
])('network 5 · upload of %s with %i bytes: %s', (name, size, expected) => {
  expect(checkFile({ name, size }, SHEET_RULE)).toBe(expected)
})
