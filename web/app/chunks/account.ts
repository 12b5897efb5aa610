/**
 * Table of import functions of the pages of account, messages, contacts, announcements, support tickets and alerts; the page
 * table (web/app/pages.ts) loads it with the first of them, each page apart.
 */
export const CHUNKS = {
  AccountPage: () => import('#pages/account/overview/account-page.tsx').then((m) => m.AccountPage),
  ProfilePage: () => import('#pages/account/overview/profile-page.tsx').then((m) => m.ProfilePage),
  PasswordPage: () => import('#pages/account/contact/password-page.tsx').then((m) => m.PasswordPage),
  PhonePage: () => import('#pages/account/contact/contact-pages.tsx').then((m) => m.PhonePage),
  EmailPage: () => import('#pages/account/contact/contact-pages.tsx').then((m) => m.EmailPage),
  SecurityPage: () => import('#pages/account/security/security-page.tsx').then((m) => m.SecurityPage),
  ServiceListPage: () => import('#pages/account/services/service-list-page.tsx').then((m) => m.ServiceListPage),
  MessageListPage: () => import('#pages/message/message-list-page.tsx').then((m) => m.MessageListPage),
  ContactsPage: () => import('#pages/contacts/contacts-page.tsx').then((m) => m.ContactsPage),
  AnnouncementListPage: () =>
    import('#pages/announcements/announcement-list-page.tsx').then((m) => m.AnnouncementListPage),
  AnnouncementDetailPage: () =>
    import('#pages/announcements/announcement-detail-page.tsx').then((m) => m.AnnouncementDetailPage),
  TicketListPage: () => import('#pages/ticket/ticket-list-page.tsx').then((m) => m.TicketListPage),
  TicketDetailPage: () => import('#pages/ticket/ticket-detail-page.tsx').then((m) => m.TicketDetailPage),
  TicketCreatePage: () => import('#pages/ticket/ticket-create-page.tsx').then((m) => m.TicketCreatePage),
  MonitorPage: () => import('#pages/monitor/monitor-page.tsx').then((m) => m.MonitorPage),
} as const
