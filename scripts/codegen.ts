import { readFile, writeFile } from 'node:fs/promises'
import { generatedFiles } from './database-types.ts'
import { readOptions } from './tool-options.ts'

const { values } = readOptions({
  usage: `npm run codegen [-- --check]

The TypeScript types of the database, a readable dump of its schema and the outputs of sql/examples/, from its baseline
and migrations; with --check only whether they are current.`,
  options: { check: 'flag' },
})
for (const [file, text] of await generatedFiles()) {
  if (!values.check) {
    await writeFile(file, text)
  } else if ((await readFile(file, 'utf8')) !== text) {
    console.log(`${file} is stale: run npm run codegen`)
    process.exitCode = 1
  }
}
