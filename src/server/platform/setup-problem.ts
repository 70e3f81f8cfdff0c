/**
 * A problem that the person who installs the portal has to fix: the environment, the database, the data directory. The message is
 * plain English with what to do, and is printed without a stack.
 */
export class SetupProblem extends Error {}
