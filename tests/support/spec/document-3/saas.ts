import type { Rule } from '../spec-item.ts'

/** SaaS devices, bandwidth pools, logs and their exports. */
export const SAAS_RULES: readonly Rule[] = [
  [
    'directory 2',
    'devices under the names of their groups, searched',
    'api/saas/saas.test.ts › stand in their groups, with what is in force, and are found by name, note and group',
    'web/saas/saas-pages.test.tsx › stand under the names of their groups; only the shared edition may be edited',
  ],
  [
    'directory 2',
    'note and bandwidth by dialogs',
    'api/saas/saas.test.ts › is set, in the document and in the audit',
    'browser/flows/saas.test.ts › bandwidth: wrong values are named at the field, a right one is saved; the note keeps markup as text',
  ],
  [
    'directory 2',
    'detail: facts, traffic, analysis',
    'api/saas/saas.test.ts › the detail has what the hub knows',
    'web/saas/saas-pages.test.tsx › has its facts, its traffic, and what each analysis says',
  ],
  [
    'directory 2',
    'detail: shares and charts of a day',
    'durable/saas.test.ts › are stored, acknowledged, and read; the hour that goes on is asked for when somebody looks',
    'browser/flows/saas.test.ts › a day of a device by application and address: chart, shares that are together 100.00, and a range too old (%i px)',
  ],
  [
    'directory 2',
    'detail: dial records, searched',
    'api/saas/saas.test.ts › are pairs of lines with their volumes, newest first; the one that lasts has the hub’s',
    'web/saas/saas-pages.test.tsx › lists its dial records, and searches them',
  ],
  [
    'directory 2',
    'pools: name, largest bandwidth, devices',
    'api/saas/pools.test.ts › are listed with the number of their devices, and read one by one',
    'web/saas/saas-pages.test.tsx › is one of a list with largest bandwidth and number of devices',
  ],
  [
    'directory 2',
    'pool: devices by country of their exit',
    'api/saas/pools.test.ts › have devices with export, term and the largest bandwidth, by country and search',
    'web/saas/saas-pages.test.tsx › lists its devices by ten, of one country of their exit',
  ],
  ['directory 2', 'pool: back without an id', null, 'web/saas/saas-pages.test.tsx › %s goes back to the list'],
  [
    'directory 2',
    'login records: columns, range',
    'api/logs/member-records.test.ts › answers the fields of a sign-in, newest first, of one member, by page',
    'web/logs/logs-pages.test.tsx › opens with the last seven days, and shows why a try failed',
  ],
  [
    'directory 2',
    'logs: search and range in the address',
    null,
    'web/logs/logs-pages.test.tsx › reads range and search from the address; a range that is none is the last seven days',
  ],
  [
    'directory 2',
    'dial records: p2p and pop',
    'api/logs/member-records.test.ts › answers dials p2p and pop apart, with how long they lasted',
    'web/logs/logs-pages.test.tsx › p2p and pop have their own columns, search and export',
  ],
  [
    'directory 2',
    'connection records: 上线 and 下线',
    'api/logs/connect.test.ts › answers when devices came and went, newest first',
    'web/logs/logs-pages.test.tsx › says of each device when it went online and offline',
  ],
  [
    'directory 2',
    'connection records: 上线 and 下线 in a spreadsheet',
    'api/logs/export.test.ts › connect',
    'web/logs/logs-pages.test.tsx › asks with the filters of the list and saves the file under its name',
  ],
  [
    'directory 2',
    'an export of login records',
    'api/logs/export.test.ts › software_login: a workbook of text cells, with times of Shanghai',
    'web/logs/logs-pages.test.tsx › login records as such, under their name',
  ],
  [
    'directory 2',
    'exports of dial records',
    'api/logs/export.test.ts › online and pop_online: apart, also what lasted into the range; what still lasts has no end',
    'web/logs/logs-pages.test.tsx › p2p and pop have their own columns, search and export',
  ],

  [
    'directory 4',
    'a device is connected or not',
    'api/saas/saas.test.ts › are connected or not, as their devices are',
    'web/saas/saas-pages.test.tsx › stand under the names of their groups; only the shared edition may be edited',
  ],

  [
    'directory 5',
    'bandwidth of a device: required, above 0, at most the maximum',
    'api/saas/saas.test.ts › %s is refused on its field',
    'web/saas/saas-pages.test.tsx › take a bandwidth above 0 and at most the maximum, of those that are offered or another',
  ],
  [
    'directory 5',
    'bandwidth in a pool: one sentence for both ends',
    'api/saas/pools.test.ts › a device gets at most the pool’s maximum; the sum of all may be more',
    'web/saas/saas-pages.test.tsx › refuses what is out of range with one sentence for both ends',
  ],
  [
    'directory 5',
    'options 1, 50, 100, 150, 200',
    null,
    'web/saas/saas-pages.test.tsx › take a bandwidth above 0 and at most the maximum, of those that are offered or another',
  ],
  [
    'directory 5',
    'note of a device: 24 characters',
    'api/router/manage.test.ts › holds 24 characters',
    'web/saas/saas-pages.test.tsx › take a note of 24 characters',
  ],
  [
    'directory 5',
    'an export without rows',
    'api/logs/export-refusals.test.ts › nothing found stays on the page; nothing is audited',
    'web/logs/logs-pages.test.tsx › a refusal is shown and the list stays',
  ],
  [
    'directory 5',
    'an export that succeeds',
    'api/logs/export.test.ts › software_login: a workbook of text cells, with times of Shanghai',
    'web/logs/logs-pages.test.tsx › asks with the filters of the list and saves the file under its name',
  ],

  [
    'directory 6',
    'exports follow the rights of their lists',
    'api/export-matrix.test.ts › logs/export of each type holds the rows of the role’s networks, and none of the main account’s',
    'web/logs/logs-pages.test.tsx › nothing yet, nothing found and no permission are three states',
  ],

  [
    'directory 8',
    '204: SaaS info goes back',
    'api/saas/saas.test.ts › has its detail; one that is unknown, of another account or no SaaS device answers 204',
    'web/saas/saas-pages.test.tsx › an unknown device goes back with its sentence',
  ],
  [
    'directory 8',
    '204: bandwidth pool info goes back',
    'api/saas/pools.test.ts › of another account are unknown, and not for roles that are limited to networks',
    'web/saas/saas-pages.test.tsx › an unknown pool goes back with its sentence',
  ],

  [
    'directory 9',
    'ten devices of a pool a page',
    'api/saas/pools.test.ts › list ten devices a page',
    'web/saas/saas-pages.test.tsx › lists its devices by ten, of one country of their exit',
  ],
  [
    'directory 9',
    'ten rows of a log a page',
    'api/logs/online.test.ts › by page: those that began within it first, then those that lasted into it, each once',
    'web/logs/logs-pages.test.tsx › a preset stands in the address, and turns back to the first page',
  ],
  [
    'directory 9',
    'logs: the last 7 days',
    'api/logs/online.test.ts › the last seven days by default: what lasts is in it whenever it began',
    'web/logs/logs-pages.test.tsx › opens with the last seven days, and shows why a try failed',
  ],
  [
    'directory 9',
    'analysis: 1 hour, of shares 6 hours, at most 180 days',
    'api/saas/saas.test.ts › %s: the last hours by default, at most 180 days',
    'web/saas/saas-pages.test.tsx › has its facts, its traffic, and what each analysis says',
  ],
  [
    'directory 9',
    'analysis: 180 days are kept',
    'unit/durable/traffic/flow-history.test.ts › hours for 30 days and days for 180 keep every byte; a row an hour, and no deletion but of days',
    'web/saas/saas-pages.test.tsx › says that more than 180 days cannot be asked for',
  ],
  [
    'directory 9',
    'analysis: the top 30',
    'unit/durable/traffic/flow-store.test.ts › of 20 devices, with frames lost, late and repeated and hubs evicted: charts, tops and shares are exact',
    null,
  ],
  [
    'directory 9',
    'charts: 480 and 540',
    null,
    'web/saas/saas-pages.test.tsx › has its facts, its traffic, and what each analysis says',
  ],
  [
    'directory 9',
    'bandwidth: 1, 50, 100, 150, 200 Mbps',
    null,
    'web/saas/saas-pages.test.tsx › take a bandwidth above 0 and at most the maximum, of those that are offered or another',
  ],
]
