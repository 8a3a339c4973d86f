import { subjects, type SubjectName } from './subjects.ts'

/** `echo.program.ts <subject>`: answers requests on stdin with their own params, until stdin ends. */
subjects[process.argv[2] as SubjectName](process.stdin, process.stdout).echo()
process.stdin.once('end', () => process.exit(0))
