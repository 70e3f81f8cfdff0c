// Where `npm run portal` of older releases, and what was written after it, has the command line.
import './cli/cli.ts'
