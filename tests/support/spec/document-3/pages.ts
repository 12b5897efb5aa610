import type { Rule } from '../spec-item.ts'

/** Public pages, and what all pages have in common. */
export const PAGE_RULES: readonly Rule[] = [
  [
    'directory 2',
    'unknown addresses',
    'api/site/site.test.ts › is served at every address: %s',
    'web/app/router.test.tsx › leads unknown paths to /404/index, and from there home',
  ],
  [
    'directory 2',
    '404: its text, and a button home',
    null,
    'web/app/public-pages.test.tsx › account 2 · 404 page: its text, and a button home',
  ],
  [
    'directory 2',
    'footer: legal pages and handbook',
    'api/site/hosts.test.ts › account 1 · site/config · every link by host',
    'web/app/public-pages.test.tsx › our own: terms, privacy, handbook, copyright and filing number',
  ],
  [
    'directory 2',
    'footer: copyright and filing number on own hosts and localhost',
    'api/site/site.test.ts › shows the company’s lines on its own hosts and localhost only',
    'web/app/public-pages.test.tsx › our own: terms, privacy, handbook, copyright and filing number',
  ],
  [
    'directory 2',
    'menu of a sub-account',
    null,
    'web/app/menu.test.ts › hides from a sub-account what belongs to the main account',
  ],
  [
    'directory 2',
    'menu: auth sources and handbook',
    null,
    'web/app/menu.test.ts › drops the auth source unless the account has it, and the handbook unless the host has it',
  ],
  [
    'directory 2',
    'downloads: a card for each platform',
    'api/download/download.test.ts › lists the newest build for each platform to everybody, in one round trip',
    'web/download/download-page.test.tsx › has a card for each platform, which says 暂未发布 where there is no build',
  ],
  [
    'directory 2',
    'downloads: Linux by panel and platform',
    'api/download/download.test.ts › has an entry for linux by panel and distribution',
    'web/download/download-page.test.tsx › asks of Linux for version and application platform: by default the panel for CentOS',
  ],
  [
    'directory 2',
    'handbook: in a new tab',
    null,
    'web/app/public-pages.test.tsx › directory 2 · the menu opens the handbook in a new tab',
  ],
  [
    'directory 2',
    'handbook: id and title in the address',
    null,
    'web/handbook/handbook-page.test.tsx › without an article it shows the first; the address keeps id and title',
  ],
  [
    'directory 2',
    'handbook: tree',
    'api/document/document.test.ts › the tree has chapters with their articles, for whoever asks',
    'web/handbook/handbook-page.test.tsx › tree, previous and next, and links in the text lead from article to article',
  ],
  [
    'directory 2',
    'handbook: article, previous and next',
    'api/document/document.test.ts › an article has its text as HTML, its headings, and the articles around it over all chapters',
    'web/handbook/handbook-page.test.tsx › tree, previous and next, and links in the text lead from article to article',
  ],
  [
    'directory 2',
    'handbook: a click enlarges an image',
    null,
    'web/ui/markdown/safe-html.test.tsx › a click on an image enlarges it',
  ],
  [
    'directory 2',
    'facts of the legal texts',
    null,
    'web/app/public-pages.test.tsx › directory 2 · facts of the legal texts',
  ],
  [
    'directory 2',
    'services',
    'api/account/account.test.ts › pages the account’s own services, newest first, with their number',
    'web/account/service-list-page.test.tsx › account 2 · services with state, what is left, what is in use and what stops; renewed by a ticket',
  ],
  [
    'directory 2',
    'friend networks: times',
    'api/network-fr/lists.test.ts › has name, term, status, networks and areas',
    'web/network/pop/ticket-pages.test.tsx › status 1 is valid, anything else is processed; areas have their bandwidth',
  ],
  ['directory 2', 'friend networks: no extension', null, 'web/network/pop/ticket-pages.test.tsx › cannot be extended'],

  [
    'directory 9',
    'page size 10',
    'unit/contract.test.ts › is page 1 of ten rows, newest first, unless asked otherwise',
    null,
  ],
  [
    'directory 9',
    'five pager buttons',
    null,
    'web/ui/table/pager-window.test.ts › always shows five neighbors, or all there are, with the current page among them',
  ],
  [
    'directory 9',
    'no pager for a single page',
    null,
    'web/ui/table/data-table.test.tsx › shows rows with their headings, and no pager for a single page',
  ],
  [
    'directory 9',
    'dial code 86',
    null,
    'web/account/wizards.test.tsx › sends the code to the new phone, then binds it',
  ],
  [
    'directory 9',
    'carousel: 5 s',
    null,
    'web/dashboard/announcement-ticker.test.tsx › rotates every five seconds and wraps around (account 2)',
  ],
  [
    'directory 9',
    'below 992 px',
    null,
    'web/handbook/handbook-page.test.tsx › account 2 · below 992 px tree and search are in a drawer, which closes with the choice',
  ],
  [
    'directory 9',
    'sidebar: medium at first',
    null,
    'web/app/sidebar.test.tsx › is medium at first; arrow keys choose among the three sizes',
  ],
  ['directory 9', 'sidebar: kept', null, 'web/app/sidebar.test.tsx › dragged to %i px it snaps to %s, which is kept'],
  [
    'directory 9',
    'terms and privacy: 3 years, 180 days, 18 months, 72 hours, 15 days',
    null,
    'web/app/public-pages.test.tsx › directory 2 · facts of the legal texts',
  ],
  [
    'directory 9',
    'platforms of downloads',
    'api/download/download.test.ts › lists the newest build for each platform to everybody, in one round trip',
    'web/download/download-page.test.tsx › has a card for each platform, which says 暂未发布 where there is no build',
  ],
]
