export { registerOperatorInvitations } from './invitations.operator.ts'
export { registerInvitations } from './invitations.routes.ts'
export { personalInvitations, startInvitationJobs } from './invitations.service.ts'
