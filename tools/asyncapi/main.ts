// `npm run asyncapi` writes the description of events and webhooks; with `release`, also the released copy.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { breakingChanges, type Description } from './breaking-changes.js';
import { DESCRIPTION, descriptionText, RELEASED } from './description.js';

const text = await descriptionText();
mkdirSync(dirname(RELEASED), { recursive: true });
writeFileSync(DESCRIPTION, text);

const problems = existsSync(RELEASED)
  ? breakingChanges(parsed(readFileSync(RELEASED, 'utf8')), parsed(text))
  : [];
for (const problem of problems) console.error(problem);
if (process.argv[2] === 'release' && problems.length === 0) writeFileSync(RELEASED, text);
process.exitCode = problems.length === 0 ? 0 : 1;

function parsed(json: string): Description {
  return JSON.parse(json) as Description;
}
