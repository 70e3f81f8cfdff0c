import { guardsIn, type ProgramGuard } from './guard.ts'

const M = 'src/server/modules'
const SECURITY = 'tests/security'

/** What one call does to several rows. */
const severalActs = guardsIn(`${M}/audit/operator-act.service.ts`, `${M}/audit/audit.db.test.ts`, {
  'each row of several has a key of its own': ['key: key === null ? null : keyOf(key, row.id)', 'key'],
  'a row of several has the same key when its call is repeated': [
    '.update(JSON.stringify([key, id]))',
    '.update(JSON.stringify([key, id, performance.now()]))',
  ],
  'rows of another call have other keys': [
    '.update(JSON.stringify([key, id]))',
    '.update(JSON.stringify([id]))',
  ],
  'a reused key refuses the whole call': [`['KEY_REUSED', `, '['],
  'a twin that still runs refuses the whole call': `'IN_PROGRESS', `,
  'a call above the pace is refused as a whole': `'RATE_LIMITED', `,
  'a call without a fresh proof is refused as a whole': `, 'STEP_UP_REQUIRED'`,
})

const savedFilters = [
  ...guardsIn(`${M}/saved-filters/saved-filters.service.ts`, `${M}/saved-filters/saved-filters.db.test.ts`, {
    'saved filters of one operator are limited': [
      'if ((await countLocked(tx, userId, list)) >= SAVED_FILTERS_MAX) throw tooManySaved()',
      'await countLocked(tx, userId, list)',
    ],
  }),
  ...guardsIn(`${M}/saved-filters/saved-filters.queries.ts`, `${M}/saved-filters/saved-filters.db.test.ts`, {
    'saved filters of one operator are counted in turn': [
      'SELECT pg_advisory_xact_lock(hashtextextended(${`saved_filter:${userId}:${list}`}, 0))',
      'SELECT ${`saved_filter:${userId}:${list}`}::text',
    ],
  }),
]

const gameNames = [
  ...guardsIn(`${M}/settings/names.service.ts`, `${M}/settings/names.db.test.ts`, {
    'changes of names in the game take turns': ['await lockNames(tx)', ''],
    'a name that others have changed is not overwritten': [
      'if (isOutdated) throw',
      'if (isOutdated && names.length === 0) throw',
    ],
    'names in the game are limited': ['if ((await countNames(tx)) > NAMES_MAX) throw tooMany()', ''],
  }),
  ...guardsIn('src/contract/operator/game/names.ts', `${M}/settings/names.db.test.ts`, {
    'editors set names in the game': ["permitted('settings.content')", "permitted('tournaments.read')"],
  }),
]

const viewAs = guardsIn('src/contract/operator/users.ts', `${M}/view-as/view-as.db.test.ts`, {
  'an operator who views as a player gets no QR code': ['{ qr: true, ', '{ '],
  'an operator who views as a player gets no picture of a QR code': 'qr_svg: true, ',
})

const LINKS = `${SECURITY}/guarded-links.db.test.ts`

/** Where settings and texts lead, and whose a receiving account is. */
const links = [
  ...guardsIn(`${M}/settings/changing.service.ts`, LINKS, {
    'a proposed link leads to a listed host': ['await assertLinks(deps, tx, changes)', ''],
    'a link leads to a listed host when it takes effect': [
      'if (linkFault(await selectSettings(tx), { key, value }, publicUrl) !== null) return false',
      '',
    ],
  }),
  ...guardsIn(`${M}/settings/links.service.ts`, LINKS, {
    'a listed link carries no other address': [
      'isAllowedHost(host, hosts) && !carriesAddress(address)',
      'isAllowedHost(host, hosts)',
    ],
    'texts lead to no programs but those that are set': ['return !leadsToProgram(address) && ', 'return '],
    'what is below a whole site is not the portal’s': [`(pathname !== '/' && url`, '(url'],
    'texts call no other number': [
      `return digitsOf(target) === digitsOf(text('seller_hotline'))`,
      'return true',
    ],
    'texts write to no other address': [
      `return target.toLowerCase() === text('seller_email').toLowerCase()`,
      'return true',
    ],
  }),
  ...guardsIn(`${M}/posts/operator-posts.service.ts`, LINKS, {
    'a changed post leads to allowed places': [
      'await assertTextLinks(publicUrl, tx, { content: values.content, before: before.content })',
      '',
    ],
    'a new post leads to allowed places': [
      `await assertTextLinks(deps.publicUrl, tx, { content: values.content, before: '' })`,
      '',
    ],
  }),
  ...guardsIn(`${M}/legal/legal.service.ts`, LINKS, {
    'a legal text leads to allowed places': [
      'await assertTextLinks(deps.publicUrl, tx, { content, before: before.content })',
      '',
    ],
  }),
  ...guardsIn('src/contract/operator/setting-kinds.ts', LINKS, {
    'a receiving account is at the bank of its channel': [
      'ofAccount(({ bin }) => isBinOf(channel, bin))',
      'ofAccount(() => true)',
    ],
  }),
  ...guardsIn(`${M}/recharge/channels.rules.ts`, LINKS, {
    'a channel has the name of the bank that gets the money': [
      'name: receivingBank(name, account.bin),',
      'name,',
    ],
    'an order has the name of the bank that gets the money': ['receivingBank(name, bin)', 'name'],
  }),
]

/** What an operator's act takes beside its permission. */
const TAKEN = `${SECURITY}/taken-roles.db.test.ts`
const PARTS = `${M}/proposals/parts.db.test.ts`
const UNSEEN = `${SECURITY}/unseen-acts.db.test.ts`

export const operatorActGuards: ProgramGuard[] = [
  ...severalActs,
  ...savedFilters,
  ...gameNames,
  ...viewAs,
  ...links,
  ...guardsIn(`${M}/audit/operator-act.service.ts`, `${SECURITY}/without-proof.db.test.ts`, {
    'acts take the fresh proof that their row demands':
      'if (PROOF_RULES[guard.proof](body, clock.now())) assertFreshProof(identity)',
  }),
  ...guardsIn(`${M}/audit/operator-act.service.ts`, `${SECURITY}/two-people.db.test.ts`, {
    'acts on operators take the right to manage them':
      'if (guard.isOnAccount) await assertMayTouch(db, { identity, request, params })',
  }),
  ...guardsIn(`${M}/audit/operator-act.service.ts`, `${SECURITY}/one-operator.db.test.ts`, {
    'limited acts of one operator take turns': `if (guard.limit !== null) await lockSum(tx, 'operator', userId)`,
  }),
  ...guardsIn(`${M}/audit/operator-act.service.ts`, `${SECURITY}/one-operator.db.test.ts`, {
    'the sum of a day is limited': 'if (Math.max(ofOperator, ofPlayer) + act.coins > act.limit) return false',
    'limited acts are counted': 'await insertLimitedAct(tx, act)',
  }),
  ...guardsIn(`${M}/proposals/counting.service.ts`, `${SECURITY}/two-people.db.test.ts`, {
    'one person under two accounts does not approve': 'if (why !== null) throw samePerson(why)',
    'who is nobody’s second person does not count as one': [
      '&&\n          whyOnePerson([proposer, id], permissions) === null',
      '',
    ],
  }),
  ...guardsIn(`${M}/proposals/deciding.service.ts`, PARTS, {
    'a proposal is approved by who may do each part': [
      `act === 'approve' ? permissionsFor(proposal) : [PROPOSAL_PERMISSIONS[proposal.kind]]`,
      '[PROPOSAL_PERMISSIONS[proposal.kind]]',
    ],
  }),
  ...guardsIn(`${M}/proposals/proposals.service.ts`, PARTS, {
    'the parts of a proposal are done with it': ['changes: [...parts, proposal]', 'changes: [proposal]'],
    'parts are undone where the change is refused': [
      'wholeOrNothing(tx, () => carryOut(deps, tx, change))',
      'carryOut(deps, tx, change)',
    ],
    'terms that change close what waits about them': [
      'of await lockWaiting(tx, { kind, subject })',
      'of [] as string[]',
    ],
  }),
  ...guardsIn(`${M}/proposals/campaigns.service.ts`, PARTS, {
    'terms change before the start': [
      `if (before.state !== 'planned') throw`,
      `if (before.state === 'stopped') throw`,
    ],
    'terms are changed as they are now': [
      'if (before.updated_at !== call.body.updated_at)',
      `if (before.updated_at === '')`,
    ],
  }),
  ...guardsIn(`${M}/proposals/counting.service.ts`, UNSEEN, {
    'everybody is asked about the house': [
      'if (!(await needsEverybody(people, proposal))) return null',
      'if (proposal.agreed_by.length === 0) return null',
    ],
    'what two people give players has a limit': [
      `if (kind === 'adjustment') return Math.abs(Number(payload.after)) > (await people.adjustable())`,
      '',
    ],
    'what was approved before counts': [
      'agreedAdjustmentLimit - (await sumApprovedAdjustments(db))',
      'agreedAdjustmentLimit',
    ],
    'the second factor of the staff is the house’s': [
      `(reach === 'by-account' && people.staff.some(({ id }) => id === subject))`,
      'false',
    ],
  }),
  ...guardsIn(`${M}/proposals/proposals.queries.ts`, UNSEEN, {
    'the others have a day to refuse': [
      'coalesce(takes_effect_at, proposed_at + make_interval(hours => ${OBJECTION_HOURS}::integer))',
      'proposed_at',
    ],
  }),
  ...guardsIn(`${M}/proposals/deciding.service.ts`, UNSEEN, {
    'everybody hears of an agreement':
      'await mailStaff(deps.vault, tx, people.staff, (to) => agreedMail(to, facts))',
    'everybody hears of a refusal': 'await mailStaff(deps.vault, tx, staff, (to) => endedMail(to, ended))',
    'approvals of adjustments take turns': `if (kind === 'adjustment') await lockAdjustments(tx)`,
    'nobody agrees twice':
      'if (proposal.agreed_by.some((agreed) => agreed.id === operatorId)) throw alreadyAgreed()',
  }),
  ...guardsIn(`${M}/digests/digest.rules.ts`, `${SECURITY}/seen-acts.db.test.ts`, {
    'the digest counts what it does not tell in detail': [
      `seen === 'digest' ? action : []`,
      '[] as string[]',
    ],
  }),
  ...guardsIn(`${M}/proposals/proposals.service.ts`, UNSEEN, {
    'what nobody may agree to any more does not come': [
      'agreed_by.find(({ id }) => may(id))?.id ?? null',
      'agreed_by[0]?.id ?? null',
    ],
    'what somebody agreed to is nobody’s alone': [
      'agreed_by.find(({ id }) => may(id))?.id ?? null',
      'agreed_by.find(({ id }) => may(id)) === undefined ? null : proposed_by.id',
    ],
  }),
  ...guardsIn(
    `${M}/bank-inbox/gateway-refunds/gateway-refunds.service.ts`,
    `${M}/bank-inbox/gateway-refunds/gateway-refunds.db.test.ts`,
    {
      'refunds of one day are counted together': [
        '(await countAlone(tx, { ...limited, operatorId: operator.id, limit: manualCreditLimit }))',
        'limited.coins > 0',
      ],
      'parts of one transfer are refunded as a whole': [
        '(done + amount) * rechargeRate <= manualCreditLimit',
        'amount * rechargeRate <= manualCreditLimit',
      ],
      'a refund is requested by the call that recorded it': ['if (recorded === refundId) await', 'await'],
      'what is agreed to can still go back':
        'await amountToRefund(deps, tx, { transfer, requested: amount })',
    },
  ),
  ...guardsIn(`${M}/proposals/counting.service.ts`, TAKEN, {
    'who lost a role in the last days is somebody else': [
      'staff.filter(\n        ({ id, recentPermissions }) =>',
      'staff.filter(\n        ({ id, permissions: recentPermissions }) =>',
    ],
  }),
  ...guardsIn(`${M}/proposals/deciding.service.ts`, TAKEN, {
    'who lost a role in the last days may refuse': [
      `act === 'reject' ? await asRecent(deps, call) : call`,
      'call',
    ],
  }),
  ...guardsIn(`${M}/accounts/staff.service.ts`, TAKEN, {
    'a role that approves is not taken by one person': [
      'APPROVING_ROLES.some((role) => roles.includes(role) !== before.roles.includes(role))',
      'APPROVING_ROLES.some((role) => roles.includes(role) && !before.roles.includes(role))',
    ],
    'a role given again makes nobody the giver’s own': [
      'bringing.every(({ isRecent }) => isRecent) ? ',
      'bringing.some(({ isRecent }) => isRecent) ? ',
    ],
  }),
  ...guardsIn(`${M}/players/bans.service.ts`, TAKEN, {
    'who may refuse what is proposed is not banned from signing in': `if (scope === 'sign-in' && (await mayStopProposals(tx, userId))) throw approverNotBanned()`,
  }),
  ...guardsIn(`${M}/players/helping.service.ts`, TAKEN, {
    'sessions of an approver are not ended again and again': [
      'if (await mayStopProposals(deps.db, userId)) await deps.limits.consume(SESSIONS_OF_APPROVER, userId)',
      '',
    ],
  }),
  ...guardsIn(`${M}/accounts/staff.queries.ts`, `${SECURITY}/two-people.db.test.ts`, {
    'an invitation that waits opens nothing': ' AND NOT is_waiting',
  }),
  ...guardsIn('src/contract/operator/act-guards.ts', `${SECURITY}/without-proof.db.test.ts`, {
    'what moves money or decides about people takes a fresh proof': [
      'always: () => true',
      'always: () => false',
    ],
    'a ban without an end takes a fresh proof': "typeof until !== 'string' || ",
    'prices and settings of money take a fresh proof': ['.some(isGuardedSetting)', '.some(() => false)'],
  }),
  ...guardsIn(
    'src/contract/operator/settings.ts',
    [`${SECURITY}/without-proof.db.test.ts`, `${SECURITY}/money-settings.db.test.ts`],
    {
      'prices are guarded as money is': [
        "settingDefinitions[key as SettingKey].section !== 'content'",
        "settingDefinitions[key as SettingKey].section === 'money'",
      ],
    },
  ),
]
