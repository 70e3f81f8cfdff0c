export { registerInvitations, registerOperatorInvitations } from './invitations.routes.ts'
export { personalInvitations, startInvitationJobs } from './invitations.service.ts'
