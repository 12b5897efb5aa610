/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  AccountPage: () => import('./overview/account-page.tsx').then((m) => m.AccountPage),
  ProfilePage: () => import('./overview/profile-page.tsx').then((m) => m.ProfilePage),
  PasswordPage: () => import('./contact/password-page.tsx').then((m) => m.PasswordPage),
  PhonePage: () => import('./contact/contact-pages.tsx').then((m) => m.PhonePage),
  EmailPage: () => import('./contact/contact-pages.tsx').then((m) => m.EmailPage),
  SecurityPage: () => import('./security/security-page.tsx').then((m) => m.SecurityPage),
  ServiceListPage: () => import('./services/service-list-page.tsx').then((m) => m.ServiceListPage),
} as const
