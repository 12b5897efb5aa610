import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// The faults of a directory that are tested, and where: a title that is renamed or lost is missed here.

const SERVER = 'tests/durable/directory-faults.test.ts'
const HUB = 'tests/durable/directory-faults-hub.test.ts'
const MEMBERS = 'tests/durable/directory-faults-members.test.ts'
const EXCLUSION = 'tests/durable/directory-exclusion.test.ts'
const RUNS = 'tests/durable/directory-hub.test.ts'

const FAULTS: readonly (readonly [file: string, titles: readonly string[]])[] = [
  [
    SERVER,
    [
      'an attribute of three megabytes',
      'photos and other long values',
      'pages of users without end',
      'pages of the same users without end',
      'empty pages with cookies without end',
      'an empty page with a cookie between two others',
      'two entries with one id',
      'the same entry twice',
      'entries without an immutable id',
      'a referral instead of users',
      'continuations to other servers',
      'a byte at a time, and never the last',
      'a byte at a time',
      'silence behind the bind',
      'silence to the bind',
      'a second page that is lost',
      'a second page that fails',
      'the end of the connection between two pages',
      'the end of the connection in the middle of a page',
      'the end of the connection in the middle of an entry',
      'a notice of disconnection in the middle of a page',
      'a size limit in the middle of a page',
      'an administrative limit',
      'a time limit in the middle of a page',
      'no paging',
      'an account that may no longer read',
      'a base that is gone',
      'a filter that the server does not take',
      'a code that nobody knows',
      'a bind that is refused',
      'a bind that is refused, AD 52e',
      'a bind that is refused, AD 533',
      'a bind that is refused, AD 701',
      'a bind that is refused, AD 775',
      'a server that wants encryption',
      'a server of another protocol',
      'a reply to nothing',
      'a length beyond its message',
    ],
  ],
  [
    HUB,
    [
      'while a run is %s: it goes on', // waiting, listing, comparing, writing
      'again and again: the run is over, says so, and the next one works',
      'while a run asks: it still asks',
      'between two portions: the run goes on, its row counts both, undo takes back both',
      'before the members are read',
      'before the commit of an import',
      'behind the commit of an import',
      'before the outcome is written',
      'behind the outcome',
      'for long: the run is over and says so',
      'while a run that asks writes its message: the next alarm writes it, once',
      'a run without progress for 120 s is over, and another may begin',
      'a run whose database never answers is over after 120 s, and writes nothing later',
      'a check answers within 60 s, whatever the directory does',
      'a check of a directory that lists too slowly says so within 60 s',
      'a sign-in answers within 20 s, and counts nothing',
      'an alarm that was lost: the cron wakes the hub that is overdue',
      'an alarm of a run that works was lost: looking at the page brings it back',
    ],
  ],
  [
    MEMBERS,
    [
      'more than 20: the run stops and asks',
      '3 of 20: the run stops and asks; 2 of 20 are disabled',
      'a filter that hides those whom the directory disabled: they look deleted, and none is',
      'the same name with another id: the member that left keeps it, the newcomer waits',
      'other letters only: the member is renamed, and stays the same',
      'the quota is lowered while users are imported: none beyond it, and the page says so',
      'a person disables the member whom the run disables: the decision stays that person’s',
      'the directory is closed by another connection: the run of it changes nobody',
      'a device whose agent was killed (%s): the run fails and says so', // offline, silent, busy, in the middle
    ],
  ],
  [
    EXCLUSION,
    [
      '%s waits for nobody: it is refused while an import works',
      '%s is refused while a run works',
      'of calls that come at once one works',
      'an alarm that comes while a task works leaves the run for later',
      'ends a run of the one before without a change, and begins another',
      'behind the commit of a removal: undo gives the members back',
      'behind the commit of a closing: undo gives members and configuration back',
      '%s the commit of an undo: it can be repeated',
    ],
  ],
  [
    RUNS,
    [
      'renames, swaps names, keeps the note of a person',
      'never enables whom a person disabled',
      'an empty listing disables nobody',
      'the first one after the configuration changed asks for a single member',
      'asks again where one more has gone meanwhile',
      'quota: the rest stand with the reason',
      'three failures in a row raise one alert',
    ],
  ],
  [
    'tests/api/ldap/members.test.ts',
    ['a network that they join cannot be deleted', 'a device whose tunnel leads to the directory cannot be deleted'],
  ],
  ['tests/unit/ldap/rules.test.ts', ['warns of what is not encrypted, and of a filter that hides disabled users']],
  ['tests/directory/tls-hostile.test.ts', ['takes no listing that was cut short: %s']],
  [
    'tests/support/directory/company-suite.ts', // on real servers
    ['a listing that loses its second page imports nobody, and later neither loses nor disables anybody'],
  ],
]

it.each(FAULTS)('%s has these faults', (file, titles) => {
  const text = readFileSync(file, 'utf8')
  expect(titles.filter((title) => !text.includes(`'${title}'`))).toEqual([])
})

it('no fault stands twice', () => {
  const titles = FAULTS.flatMap(([, each]) => each)
  expect(new Set(titles).size).toBe(titles.length)
})
