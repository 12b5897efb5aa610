/* Devices of the demo, real and virtual, with their models and LANs. */

/** Device that `npm start` provisions and, by `runs`, connects. */
export interface DemoDevice {
  readonly serial: string
  readonly model: string
  readonly note: string
  /** LAN behind the device in CIDR; null for none. */
  readonly lan: string | null
  /** real: the agent on this machine's own interfaces; virtual: the simulator; none: never online. */
  readonly runs: 'real' | 'virtual' | 'none'
}

export const device = (
  serial: string,
  note: string,
  lan: string | null,
  runs: DemoDevice['runs'] = 'virtual',
  model = 'NL-R220',
): DemoDevice => ({
  serial,
  note,
  lan,
  runs,
  model,
})

const STORES = [
  '上海徐汇店',
  '上海静安店',
  '上海浦东店',
  '杭州西湖店',
  '杭州滨江店',
  '南京新街口店',
  '南京河西店',
  '苏州园区店',
  '无锡太湖店',
  '宁波天一店',
  '合肥政务店',
  '济南泉城店',
  '青岛五四店',
  '天津滨江道店',
  '北京朝阳店',
  '北京海淀店',
  '石家庄店',
  '郑州二七店',
  '武汉江汉店',
  '武汉光谷店',
  '长沙五一店',
  '南昌红谷滩店',
  '福州三坊店',
  '厦门中山路店',
  '广州天河店',
  '广州北京路店',
  '深圳南山店',
  '深圳福田店',
  '东莞店',
  '佛山店',
  '南宁店',
  '昆明店',
  '重庆解放碑店',
]

export const STORE_DEVICES = STORES.map((note, i) =>
  device(`NL22S${String(i + 1).padStart(3, '0')}`, note, `10.40.${i + 1}.0/24`),
)
