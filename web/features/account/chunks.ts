/** Chunks of this noun's pages (web/app/pages.ts). */
export const CHUNKS = {
  AccountPage: () => import('./pages/account-page.tsx').then((m) => m.AccountPage),
  ProfilePage: () => import('./pages/profile-page.tsx').then((m) => m.ProfilePage),
  PasswordPage: () => import('./pages/password-page.tsx').then((m) => m.PasswordPage),
  PhonePage: () => import('./pages/phone-page.tsx').then((m) => m.PhonePage),
  EmailPage: () => import('./pages/email-page.tsx').then((m) => m.EmailPage),
  SecurityPage: () => import('./pages/security-page.tsx').then((m) => m.SecurityPage),
  ServiceListPage: () => import('./pages/service-list-page.tsx').then((m) => m.ServiceListPage),
} as const
