import type { ComponentType } from 'react'
import type { UserInfo } from '#contract/account/user-info.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { CIPHERS_NAME } from '#contract/network/networks.ts'
import { canLink } from '#domain/network/members/pair-links.ts'
import { canRoute, DEFAULT_ROUTE_FEATURES } from '#domain/network/routing/routing.ts'
import { hasFeatures, type NetworkRights } from '../rights.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { SETTING_TITLE, SOFTWARE_MODE_NAME } from '#domain/network/history/setting-words.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { seatsText, toRole } from '../network-text.ts'
import type { Member, NetworkInfo } from '../live-network.ts'
import { ciphersSwitch } from './ciphers-switch.ts'
import type { MemberDialogProps, NetworkDialogProps } from './dialog-context.ts'
import {
  areaText,
  defaultRouteText,
  frText,
  gatewayText,
  hasFixedPorts,
  poolText,
  portsText,
  quaggaText,
  routingText,
} from './setting-text.ts'

/* Table of the dialogs of a network and its members: title, right, value shown and component of each. */

interface DialogRow<Props> {
  readonly key: string
  readonly title: string
  /** A save reaches no device, so there is no roll-out to follow. */
  readonly isLocal?: boolean
  readonly component: ComponentType<Props>
}

interface VerbRow extends DialogRow<NetworkDialogProps & { readonly subject: string }> {
  readonly right: keyof NetworkRights
  /** Reason why the dialog cannot be opened although the right is there. */
  readonly blocked?: (info: NetworkInfo) => string | null
}

export const SETTING_GROUPS = ['地址', '路由', '端口', '安全', 'POP'] as const

export interface SettingScope {
  readonly info: NetworkInfo
  readonly auth: UserInfo['auth']
}

export interface MemberScope extends SettingScope {
  readonly member: Member
}

interface SettingRow<Props, Scope> extends DialogRow<Props> {
  readonly group: (typeof SETTING_GROUPS)[number]
  /** Absent: `set`. */
  readonly right?: keyof NetworkRights
  /** Decides if the setting is shown; absent: always. */
  readonly shows?: (scope: Scope) => boolean
  readonly value: (scope: Scope) => string
  /** Reason why the setting cannot be changed although the right is there. */
  readonly blocked?: (scope: Scope) => string | null
  /** The setting is on: it can be turned off even in a suspended network or without its feature flag. */
  readonly isOn?: (scope: Scope) => boolean
}

export type SettingEntry<Scope> = Omit<SettingRow<unknown, Scope>, 'component'>

/** Dialogs of the actions in the page's head, in the order of its menu. */
export const VERBS: readonly VerbRow[] = [
  {
    key: 'rename',
    title: '重命名',
    right: 'rename',
    isLocal: true,
    component: lazyDialog(() => import('../list/rename-dialog.tsx').then((m) => m.RenameDialog)),
  },
  {
    key: 'addMember',
    title: '添加成员',
    right: 'add',
    blocked: ({ network_config }) => seatsText(network_config),
    component: lazyDialog(() => import('../plan/add-member-dialog.tsx').then((m) => m.AddMemberDialog)),
  },
  {
    key: 'routes',
    title: '有效路由',
    right: 'view',
    isLocal: true,
    component: lazyDialog(() => import('../members/routes-drawer.tsx').then((m) => m.RoutesDrawer)),
  },
  {
    key: 'diagnose',
    title: '诊断',
    right: 'set',
    isLocal: true,
    component: lazyDialog(() => import('../members/diagnosis-dialogs.tsx').then((m) => m.DiagnoseDialog)),
  },
  {
    key: 'diagnoses',
    title: '诊断记录',
    right: 'view',
    isLocal: true,
    component: lazyDialog(() => import('../members/diagnosis-dialogs.tsx').then((m) => m.DiagnosesDrawer)),
  },
  {
    key: 'versions',
    title: '历史',
    right: 'view',
    component: lazyDialog(() => import('../history/versions-drawer.tsx').then((m) => m.VersionsDrawer)),
  },
]

/** Settings of the network in the drawer 配置 (settings), in the order of their groups. */
export const NETWORK_SETTINGS: readonly SettingRow<NetworkDialogProps, SettingScope>[] = [
  {
    key: 'ipPool',
    title: 'IP地址池',
    group: '地址',
    value: ({ info }) => poolText(info),
    component: lazyDialog(() => import('./addresses/ip-pool-dialog.tsx').then((m) => m.IpPoolDialog)),
  },
  {
    key: 'dns',
    title: 'DNS',
    group: '地址',
    isOn: ({ info }) => info.network_dns.length > 0,
    value: ({ info }) => info.network_dns.join('、') || '未设置',
    component: lazyDialog(() => import('./addresses/dns-dialog.tsx').then((m) => m.DnsDialog)),
  },
  {
    key: 'routing',
    title: '路由方式',
    group: '路由',
    isOn: ({ info }) => info.network_routing.type === 2,
    blocked: ({ info }) =>
      info.network_routing.type !== 2 && !canRoute(info.member.map(toRole)) ? ERRORS.ROUTING_NEEDS_TWO.msg : null,
    value: ({ info }) => routingText(info),
    component: lazyDialog(() => import('./routing/routing-dialog.tsx').then((m) => m.RoutingDialog)),
  },
  {
    key: 'prefix',
    title: '网络号',
    group: '路由',
    isOn: ({ info }) => info.prefix_count > 0,
    value: ({ info }) => (info.prefix_count === 0 ? '未设置' : `${info.prefix_count} 条`),
    component: lazyDialog(() => import('./routing/prefix-dialog.tsx').then((m) => m.PrefixDialog)),
  },
  {
    key: 'quaggaOfAll',
    title: '动态路由',
    group: '路由',
    shows: ({ info, auth }) => hasFeatures(auth, ['quagga']) || info.member.some(({ quagga }) => quagga === 1),
    isOn: ({ info }) => info.member.some(({ quagga }) => quagga === 1),
    value: ({ info }) => quaggaText(info.member),
    component: lazyDialog(() => import('./routing/quagga-dialog.tsx').then((m) => m.QuaggaOfAllDialog)),
  },
  {
    key: 'centerLink',
    title: SETTING_TITLE.center_link,
    group: '路由',
    shows: ({ info }) => info.network_center_link_show === 1,
    isOn: ({ info }) => info.network_center_link === 1,
    value: ({ info }) => (info.network_center_link === 1 ? '已开启' : '已关闭'),
    component: lazyDialog(() => import('./routing/center-link-dialog.tsx').then((m) => m.CenterLinkDialog)),
  },
  {
    key: 'ciphers',
    title: '加密算法',
    group: '安全',
    value: ({ info }) =>
      `${CIPHERS_NAME[info.ncp_ciphers]}${ciphersSwitch(info, info.member) === null ? '' : '（切换中）'}`,
    component: lazyDialog(() => import('./ciphers-dialog.tsx').then((m) => m.CiphersDialog)),
  },
  {
    key: 'fr',
    title: 'POP资源',
    group: 'POP',
    value: ({ info }) => frText(info),
    component: lazyDialog(() => import('../pop/fr-dialog.tsx').then((m) => m.FrDialog)),
  },
]

/** Settings of one member, shown in its panel. */
export const MEMBER_SETTINGS: readonly SettingRow<MemberDialogProps, MemberScope>[] = [
  {
    key: 'defaultRoute',
    title: '默认路由',
    group: '路由',
    shows: ({ auth, member }) =>
      isHardware(member) && (hasFeatures(auth, DEFAULT_ROUTE_FEATURES) || member.default_route !== 0),
    isOn: ({ member }) => member.default_route !== 0,
    value: ({ member }) => defaultRouteText(member),
    component: lazyDialog(() => import('./routing/default-route-dialog.tsx').then((m) => m.DefaultRouteDialog)),
  },
  {
    key: 'quagga',
    title: '动态路由',
    group: '路由',
    shows: ({ auth, member }) => isHardware(member) && (hasFeatures(auth, ['quagga']) || member.quagga === 1),
    isOn: ({ member }) => member.quagga === 1,
    value: ({ member }) => (member.quagga === 1 ? '已开启' : '已关闭'),
    component: lazyDialog(() => import('./routing/quagga-dialog.tsx').then((m) => m.QuaggaDialog)),
  },
  {
    key: 'softwareMode',
    title: '拨号方式',
    group: '路由',
    isLocal: true,
    shows: ({ member }) => !isHardware(member),
    value: ({ member }) => SOFTWARE_MODE_NAME[member.mode] ?? '',
    component: lazyDialog(() => import('./software-mode-dialog.tsx').then((m) => m.SoftwareModeDialog)),
  },
  {
    key: 'gateway',
    title: '网段',
    group: '地址',
    shows: ({ member }) => member.gateway !== null,
    value: ({ member }) => gatewayText(member.gateway),
    component: lazyDialog(() => import('./addresses/gateway-dialog.tsx').then((m) => m.GatewayDialog)),
  },
  {
    key: 'fixedPort',
    title: '固定端口',
    group: '端口',
    shows: ({ member }) => member.fixed_port !== null,
    value: ({ member }) => portsText(member.fixed_port),
    isOn: ({ member }) => hasFixedPorts(member.fixed_port),
    component: lazyDialog(() => import('./addresses/fixed-port-dialog.tsx').then((m) => m.FixedPortDialog)),
  },
  {
    key: 'staticRoutes',
    title: '静态路由',
    group: '路由',
    right: 'editMember',
    shows: ({ member }) => isHardware(member),
    value: ({ member }) => (member.static_route_count === 0 ? '未设置' : `${member.static_route_count} 条`),
    component: lazyDialog(() => import('../members/member-dialogs.tsx').then((m) => m.StaticRoutesDialog)),
  },
  {
    key: 'pointLink',
    title: '点对点互联',
    group: '路由',
    shows: ({ member }) => canLink(toRole(member)),
    isOn: ({ info, member }) => countPointLinks(info, member) > 0,
    value: ({ info, member }) =>
      countPointLinks(info, member) === 0 ? '未设置' : `${countPointLinks(info, member)} 条`,
    component: lazyDialog(() => import('./routing/point-link-dialog.tsx').then((m) => m.PointLinkDialog)),
  },
  {
    key: 'areas',
    title: 'POP区域',
    group: 'POP',
    shows: ({ info }) => info.network_fr !== null,
    value: ({ info, member }) => areaText(member, info),
    component: lazyDialog(() => import('../pop/area-dialog.tsx').then((m) => m.AreaDialog)),
  },
]

interface MemberVerb extends DialogRow<MemberDialogProps> {
  readonly right: keyof NetworkRights
  readonly shows: (member: Member) => boolean
}

/** Dialogs of the ⋯ menu of one member. */
export const MEMBER_VERBS: readonly MemberVerb[] = [
  {
    key: 'note',
    title: '修改备注',
    right: 'editMember',
    isLocal: true,
    shows: () => true,
    component: lazyDialog(() => import('../members/member-dialogs.tsx').then((m) => m.NoteDialog)),
  },
  {
    key: 'phone',
    title: '绑定手机',
    right: 'editMember',
    isLocal: true,
    shows: (member) => !isHardware(member),
    component: lazyDialog(() => import('../members/member-dialogs.tsx').then((m) => m.PhoneDialog)),
  },
  {
    key: 'password',
    title: '修改密码',
    right: 'editMember',
    isLocal: true,
    shows: (member) => !isHardware(member),
    component: lazyDialog(() => import('../members/member-dialogs.tsx').then((m) => m.MemberPasswordDialog)),
  },
]

const isHardware = (member: Member): boolean => member.router_type === ROUTER_TYPE.hardware

const countPointLinks = ({ link }: NetworkInfo, { router_name: name }: Member): number =>
  link.filter((one) => one.kind === 'point' && [one.router_name, one.center_router_name].includes(name)).length
